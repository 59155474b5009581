import type { JSX } from 'preact';
import type { Owned } from '../../model/mail.ts';
import { text } from '../../model/text/text.ts';
import { useApp } from '../context.tsx';
import { allOf, type Page, useResource } from '../edit/resource.ts';
import { href } from '../location.ts';
import { Thing } from '../thing.tsx';
import { Trouble } from '../trouble.tsx';
import { Empty, Skeleton } from '../ui/ui.tsx';
import { DeliveryState, Lacks, useDeliveries } from './delivery.tsx';
import { KINDS, type Kind } from './kinds.ts';

interface ListProps<T> {
  readonly kind: Kind;
  readonly nameOf: (thing: T) => string;
  readonly describe: (thing: T) => string; // when, or what it waits for
}

/** The page with all subscriptions, or all alerts. */
export function ListPage<T extends Owned>({ kind, nameOf, describe }: ListProps<T>): JSX.Element {
  const { api } = useApp();
  const { path, mark, of } = KINDS[kind];
  const words = text[kind];
  const list = useResource<Page<T>>(allOf(path));
  const deliveries = useDeliveries();
  const things = list.data?._embedded.entries;
  const isOwn = (owner: string): boolean => owner === api.session.login.toLowerCase();
  return (
    <div class="page">
      <header class="page-head">
        <h1>{words.title}</h1>
        <a class="button primary" href={href(`/${kind}/new`)}>
          {words.new}
        </a>
      </header>
      <Lacks deliveries={deliveries.data} />
      <Trouble error={list.error ?? deliveries.error} onAgain={list.error ? list.reload : deliveries.reload} />
      {things === undefined && list.error === undefined && <Skeleton tall />}
      {things?.length === 0 && <Empty title={words.empty} hint={words.emptyHint} />}
      <ul class="things">
        {things?.map((thing) => (
          <Thing
            key={thing.id}
            mark={mark}
            target={href(`/${kind}/${thing.id}`)}
            name={nameOf(thing)}
            description={[
              describe(thing),
              text.mails.to(text.listAnd(thing.recipients)),
              ...(isOwn(thing.owner) ? [] : [text.mails.madeBy(thing.owner)]),
            ].join(' · ')}
          >
            <DeliveryState delivery={deliveries.data?._embedded.entries.find((each) => each[of] === thing.id)} />
          </Thing>
        ))}
      </ul>
    </div>
  );
}
