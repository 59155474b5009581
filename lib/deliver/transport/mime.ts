import type { MailMessage } from '../mail/message.ts';

/** A message as nodemailer takes it. Addresses are objects, so that none is read as several. */
export const mimeOf = ({ from, to, subject, html, text, attachments, messageId, headers }: MailMessage) => ({
  from,
  to: { name: '', address: to },
  subject,
  html,
  text,
  messageId,
  headers: { ...headers },
  attachments: attachments.map(({ name, content }) => ({
    filename: name,
    content: `\uFEFF${content}`, // spreadsheets take CSV for UTF-8 by its mark alone
    contentType: 'text/csv; charset=utf-8',
  })),
  disableFileAccess: true,
  disableUrlAccess: true,
});
