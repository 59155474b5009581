import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a mail server got it. */
export interface Arrived extends Email {
  readonly envelope: readonly string[]; // addresses of the envelope
  readonly raw: string;
}

export interface Mailbox {
  readonly url: string; // for SMTP_URL
  readonly mails: Arrived[];
  /** Replies of the server to `RCPT TO` an address, until it is deleted here; absent: it takes the mail. */
  readonly refusals: Map<string, { readonly code: number; readonly message: string }>;
  close(): Promise<void>;
}

/** Starts a mail server on a free port, which keeps what it is sent. */
export async function openMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Arrived[] = [];
  const refusals: Mailbox['refusals'] = new Map();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const refusal = refusals.get(address);
      done(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const raw = Buffer.concat(parts);
        PostalMime.parse(raw).then((mail) => {
          mails.push({ ...mail, envelope: envelope.rcptTo.map(({ address }) => address), raw: raw.toString('latin1') });
          done();
        }, done);
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // a client that was killed
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
