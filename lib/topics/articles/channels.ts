import type { TextChannel } from './fields.ts';
import { plainText } from './plain-text.ts';

/** What the texts of an article are made from that has no text of its own for a channel. */
export interface ChannelSource {
  readonly body: string | null;
  readonly url: string | null; // where readers of the support center find the article; null: they do not
}

interface TextLimit {
  readonly cutTo: number; // characters
  readonly longest: number; // characters that are not cut
}

const A_LINK = /<a[\s/]/i; // without one the text for mails is that of the others

const CHAT: TextLimit = { cutTo: 250, longest: 253 };
const TWITTER: TextLimit = { cutTo: 113, longest: 116 };

/** Returns the text that each channel shows of a body; the body is read as text once, when a channel needs that. */
export function automaticTexts({ body, url }: ChannelSource): (channel: TextChannel | 'text') => string | null {
  let read: string | undefined;
  return (channel) => {
    if (body === null) return null;
    if (channel === 'web_callback') return body;
    if (channel === 'email' && A_LINK.test(body)) return plainText(body, { links: true });
    read ??= plainText(body);
    if (channel === 'chat') return withUrl(oneLine(read, CHAT), url);
    if (channel === 'twitter') return withUrl(oneLine(read, TWITTER), url);
    return read;
  };
}

function oneLine(text: string, { cutTo, longest }: TextLimit): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= longest) return line;
  const characters = Array.from(line.slice(0, 2 * longest + 2)); // of one or two UTF-16 units
  return characters.length <= longest ? line : `${characters.slice(0, cutTo).join('')}...`;
}

const withUrl = (text: string, url: string | null): string => (text === '' || url === null ? text : `${text} ${url}`);
