import type { Settings } from '../settings.ts';

/** The settings that a server lacks to send mails; empty if it sends them. */
export const lackingOnServer = ({ SMTP_URL, MAIL_FROM }: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>): string[] =>
  Object.entries({ SMTP_URL, MAIL_FROM }).flatMap(([name, value]) => (value === undefined ? [name] : []));

/** What a deploy lacks: the stack gives its functions the sender that its context names. */
export const lackingInCloud = ({ MAIL_FROM }: Pick<Settings, 'MAIL_FROM'>): string[] =>
  MAIL_FROM === undefined ? ['mailFrom'] : [];
