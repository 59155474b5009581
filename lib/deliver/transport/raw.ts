import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailMessage } from '../mail/message.ts';
import { mimeOf } from './mime.ts';

/** A message as the bytes that mail servers exchange (RFC 5322). */
export const rawMail = (message: MailMessage): Promise<Buffer> => new MailComposer(mimeOf(message)).compile().build();
