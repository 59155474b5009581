import type { MailMessage } from '../mail/message.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A message as nodemailer takes it. Addresses are objects, so that none is read as several. */
export const mimeOf = ({ from, to, subject, html, text, attachments, messageId, headers }: MailMessage) => ({
  from,
  to: { name: '', address: to },
  subject,
  html,
  text,
  messageId,
  headers: { ...headers },
  attachments: attachments.map(({ name, content, type }) => ({
    filename: name,
    ...(type === 'xlsx'
      ? { content, encoding: 'base64', contentType: XLSX }
      : { content: `\uFEFF${content}`, contentType: 'text/csv; charset=utf-8' }), // by its mark alone it is UTF-8
  })),
  disableFileAccess: true,
  disableUrlAccess: true,
});
