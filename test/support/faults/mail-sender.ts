import { deliverDue } from '../../../lib/deliver/deliver.ts';
import { testDeliverer } from '../mail/deliverer.ts';
import { tableAt } from '../service/table-at.ts';

/** A process that sends the mails that are due at a time (epoch ms), again and again until it is killed. */
const [name = '', smtp = '', at = ''] = process.argv.slice(2);
const begun = performance.now();
const tools = testDeliverer(tableAt(name), () => Number(at) + Math.floor(performance.now() - begun), smtp);
process.stdout.write('begins\n');
for (;;) await deliverDue(tools);
