import { randomUUID } from 'node:crypto';
import { createComposedMails } from '../../../lib/deliver/composed.ts';
import type { Deliverer } from '../../../lib/deliver/deliver.ts';
import { linkOriginOf } from '../../../lib/deliver/origin.ts';
import { createDeliverRoutes } from '../../../lib/deliver/routes.ts';
import { smtpSend } from '../../../lib/deliver/transport/smtp.ts';
import { createTasks } from '../../../lib/http/task.ts';
import { LIMITS } from '../../../lib/settings.ts';
import type { Table } from '../../../lib/store/table.ts';

const SENDER = 'Support reports <reports@acme.example>';

/** What deliveries are made with, as on a server; reports are computed in this process. */
export function testDeliverer(
  table: Table,
  clock: () => number,
  smtp: string,
  log: Deliverer['log'] = () => undefined,
): Deliverer {
  return {
    ...{ table, clock, log, newId: randomUUID, from: SENDER, send: smtpSend(smtp) },
    composed: createComposedMails(),
    pause: async () => undefined,
    doTask: createTasks({ routes: createDeliverRoutes(), table, log, clock, newId: randomUUID }),
    linkOriginOf: linkOriginOf('https://help.acme.example'),
    ...LIMITS,
  };
}
