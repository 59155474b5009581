import type { Mail } from './mail/compose.ts';

/**
 * Mails that were computed and not taken by the mail server yet, so that a server that is down has no report computed
 * again. They are in memory alone: after a death a mail is computed anew, as of the same due time.
 */
export interface ComposedMails {
  get(name: string): Mail | undefined;
  keep(name: string, mail: Mail): void;
  drop(name: string): void;
}

export const MOST_COMPOSED = 32_000_000; // characters of all mails

/** No mails yet. Past the bound the oldest ones go. */
export function createComposedMails(most = MOST_COMPOSED): ComposedMails {
  const mails = new Map<string, Mail>();
  let size = 0;

  function drop(name: string): void {
    const mail = mails.get(name);
    if (mail === undefined) return;
    mails.delete(name);
    size -= sizeOf(mail);
  }

  return {
    get: (name) => mails.get(name),
    keep(name, mail) {
      drop(name);
      mails.set(name, mail);
      size += sizeOf(mail);
      for (const oldest of mails.keys()) {
        if (size <= most) return;
        drop(oldest);
      }
    },
    drop,
  };
}

const sizeOf = ({ html, text, attachments }: Mail): number =>
  attachments.reduce((sum, { content }) => sum + content.length, html.length + text.length);
