import { Fault } from '../fault.ts';

/** Reads a password: one line of standard input, or two prompts without echo. Throws a `Fault`. */
export async function readPassword(fromInput: boolean): Promise<string> {
  const [password = ''] = fromInput ? await inputLines(1) : [await askTwice()];
  if (password === '') throw new Fault('The password is empty.', 2);
  return password;
}

/**
 * Reads the token of a help desk, and the secret of its webhooks if there is one: two lines of standard input, or a prompt
 * without echo for the token. Throws a `Fault`.
 */
export async function readToken(fromInput: boolean): Promise<{ readonly token: string; readonly secret?: string }> {
  if (!fromInput && !process.stdin.isTTY)
    throw new Fault('There is no terminal to ask for the token: add --token-stdin.', 2);
  const [token = '', secret = ''] = fromInput ? await inputLines(2) : [await ask('Token: ')];
  if (token === '') throw new Fault('The token is empty.', 2);
  return { token, ...(secret === '' ? {} : { secret }) };
}

/** The first lines of standard input, so many at most. */
async function inputLines(most: number): Promise<readonly string[]> {
  const parts: Buffer[] = [];
  const input: AsyncIterable<Buffer> = process.stdin;
  for await (const part of input) {
    parts.push(part);
    if (Buffer.concat(parts).toString('latin1').split('\n').length > most) break;
  }
  return Buffer.concat(parts).toString('utf8').split(/\r?\n/, most);
}

async function askTwice(): Promise<string> {
  if (!process.stdin.isTTY) throw new Fault('There is no terminal to ask for the password: add --password-stdin.', 2);
  const password = await ask('Password: ');
  if ((await ask('Again: ')) !== password) throw new Fault('The two passwords differ.');
  return password;
}

const CTRL_C = '\u0003';
const CTRL_U = '\u0015';
const BACKSPACES: readonly string[] = ['\u007f', '\b'];
const ENDS: readonly string[] = ['\r', '\n', '\u0004'];

function ask(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true); // before the question, so that fast input is not echoed either
  stdin.setEncoding('utf8');
  stderr.write(question);
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const finish = (): void => {
      stdin.off('data', take).off('end', giveUp).pause();
      stdin.setRawMode(false);
      stderr.write('\n');
    };
    const giveUp = (): void => {
      finish();
      reject(new Fault('No password was given; nothing has changed.'));
    };
    const take = (text: string): void => {
      for (const sign of text) {
        if (sign === CTRL_C) {
          giveUp();
          return;
        }
        if (ENDS.includes(sign)) {
          finish();
          resolve(typed.join(''));
          return;
        }
        if (sign === CTRL_U) typed = [];
        else if (BACKSPACES.includes(sign)) typed.pop();
        else typed.push(sign);
      }
    };
    stdin.on('data', take).on('end', giveUp).resume();
  });
}
