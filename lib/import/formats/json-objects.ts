import { isUtf8 } from 'node:buffer';
import { withoutByteOrderMark } from './lines.ts';

/** The text of an object in a file. */
export interface JsonObject {
  readonly line: number; // where it begins, from 1
  readonly text: string;
  readonly page?: string | undefined; // name of the list that contains it, such as `audits` in `{"audits": [{…}]}`
}

/** A text that is not a whole object. */
export interface BrokenObject {
  readonly line: number; // where it begins, or the page that contains it
  readonly raw: string;
  readonly reason: string; // one line
}

/** Longest object, in bytes; in a page this limits each element. */
export const MAX_OBJECT = 16_777_216;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [LINE_FEED, SPACE] = [0x0a, 0x20];

/** The state of cutting a file into objects. All indexes are of bytes in `buffer`. */
interface Cutting {
  buffer: Buffer; // from the first byte that is still needed
  at: number; // index of the next byte
  line: number; // line of the next byte
  readonly nesting: number[]; // the open brackets
  before: number; // the last byte outside of texts that was no space; a text counts as its closing quote
  isText: boolean; // the next byte is inside a text
  textFrom: number; // index after the quote that opened the last text
  key: string; // the last text in the outermost object
  from: number; // index where the current object begins; −1: none
  fromLine: number; // line where the current object begins
  topLine: number; // line where the outermost value begins
  pageDepth: number; // nesting depth of the list whose elements are cut out as objects; 0: none
  page: string | undefined;
  isPaged: boolean; // the outermost value contains such a list, so it is no object itself
  isStrict: boolean; // an object must end on its line; set after an object that never ended
  isTooLong: boolean; // the current object is skipped
}

const OTHER = 'the line is not a JSON object';

type CutObject = JsonObject | BrokenObject;

/**
 * Cuts bytes into JSON objects and holds only one object at a time. It accepts objects one after the other, over any
 * number of lines, and yields the elements of lists named in `pages`, or of a list at the top. An incomplete object is
 * reported, and reading goes on with the next one. Written by hand, because a stream parser makes a value of a whole
 * page first.
 */
export async function* readObjects(
  bytes: AsyncIterable<Uint8Array>,
  pages: ReadonlySet<string>,
): AsyncGenerator<readonly CutObject[]> {
  const cutting = newCutting();
  for await (const chunk of withoutByteOrderMark(bytes)) {
    const cuts: CutObject[] = [];
    cutting.buffer = Buffer.concat([cutting.buffer, chunk]);
    cut(cutting, pages, cuts);
    forget(cutting);
    yield cuts;
  }
  const cuts: CutObject[] = [];
  while (!isOutside(cutting)) {
    const isOther = cutting.nesting.length === 0;
    breakOff(cutting, cuts, isOther ? OTHER : 'is incomplete: the file ends inside it', true);
    cut(cutting, pages, cuts);
  }
  yield cuts;
}

const newCutting = (): Cutting => ({
  buffer: Buffer.alloc(0),
  at: 0,
  line: 1,
  nesting: [],
  before: 0,
  isText: false,
  textFrom: 0,
  key: '',
  from: -1,
  fromLine: 1,
  topLine: 1,
  pageDepth: 0,
  page: undefined,
  isPaged: false,
  isStrict: false,
  isTooLong: false,
});

const isOutside = ({ nesting, from }: Cutting): boolean => nesting.length === 0 && from < 0;

/** Drops the bytes that are not needed any more. */
function forget(cutting: Cutting): void {
  const { from, isText, isTooLong, textFrom, at } = cutting;
  const end = Math.min(at, cutting.buffer.length);
  const needed = isTooLong ? end : from >= 0 ? from : isText ? Math.min(textFrom, end) : end;
  cutting.buffer = Buffer.from(cutting.buffer.subarray(needed));
  cutting.at -= needed;
  cutting.textFrom -= needed;
  if (from >= 0) cutting.from = 0;
}

function cut(cutting: Cutting, pages: ReadonlySet<string>, cuts: CutObject[]): void {
  while (cutting.at < cutting.buffer.length) {
    const byte = cutting.buffer[cutting.at]!;
    if (cutting.isText) readText(cutting, cuts);
    else if (byte === LINE_FEED) endLine(cutting, cuts);
    else if (byte > SPACE) take(byte, cutting, pages, cuts);
    else cutting.at += 1;
    const { from, at, isTooLong } = cutting;
    if (from >= 0 && at - from > MAX_OBJECT && !isTooLong) skipObject(cutting, cuts);
  }
}

function take(byte: number, cutting: Cutting, pages: ReadonlySet<string>, cuts: CutObject[]): void {
  const { nesting, at, buffer, isStrict } = cutting;
  const begins = byte === OPEN ? !isStrict || buffer[at - 1] === LINE_FEED : byte === OPEN_LIST && !isStrict;
  if (nesting.length === 0 && !begins) {
    if (byte === COMMA && cutting.from < 0) cutting.at += 1;
    else readOther(cutting);
    return;
  }
  cutting.at += 1;
  switch (byte) {
    case QUOTE:
      cutting.isText = true;
      cutting.textFrom = at + 1;
      return;
    case OPEN:
    case OPEN_LIST:
      open(byte, cutting, pages, cuts);
      return;
    case CLOSE:
    case CLOSE_LIST:
      close(byte, cutting, cuts);
      return;
    default:
      cutting.before = byte;
  }
}

/** Reads a text to its closing quote. A line end inside it makes the object incomplete. */
function readText(cutting: Cutting, cuts: CutObject[]): void {
  const { buffer } = cutting;
  let { at } = cutting;
  for (; at < buffer.length; at += 1) {
    const byte = buffer[at]!;
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE || byte === LINE_FEED) break;
  }
  cutting.at = at;
  if (at >= buffer.length) return; // one past the end after a last backslash, so the byte that it escapes is skipped
  if (buffer[at] === LINE_FEED) {
    breakOff(cutting, cuts, 'is incomplete: a line ends inside one of its texts', false);
    return;
  }
  if (cutting.nesting.length === 1 && cutting.pageDepth === 0)
    cutting.key = buffer.toString('latin1', cutting.textFrom, at);
  cutting.isText = false;
  cutting.before = QUOTE;
  cutting.at += 1;
}

function open(byte: number, cutting: Cutting, pages: ReadonlySet<string>, cuts: CutObject[]): void {
  const { nesting, before, at } = cutting;
  const inside = nesting.at(-1);
  const follows = inside === OPEN ? before === COLON : before === COMMA || before === OPEN_LIST;
  if (inside !== undefined && !follows) {
    cutting.at -= 1;
    breakOff(cutting, cuts, 'is incomplete: another one begins inside it', false);
    return;
  }
  if (inside === undefined) {
    Object.assign(cutting, { topLine: cutting.line, isPaged: byte === OPEN_LIST, key: '', page: undefined });
    cutting.pageDepth = byte === OPEN_LIST ? 1 : 0;
  }
  const isKept = inside === undefined ? byte === OPEN : nesting.length === cutting.pageDepth;
  if (isKept) Object.assign(cutting, { from: at - 1, fromLine: cutting.line });
  if (byte === OPEN_LIST && nesting.length === 1 && inside === OPEN && pages.has(cutting.key)) {
    Object.assign(cutting, { pageDepth: 2, page: cutting.key, isPaged: true, from: -1, isTooLong: false });
  }
  nesting.push(byte);
  cutting.before = byte;
}

function close(byte: number, cutting: Cutting, cuts: CutObject[]): void {
  const { nesting, at } = cutting;
  if (nesting.at(-1) !== (byte === CLOSE ? OPEN : OPEN_LIST)) {
    breakOff(cutting, cuts, 'is not JSON: it closes a bracket that is not open', false);
    return;
  }
  nesting.pop();
  cutting.before = byte;
  const isElement = cutting.pageDepth > 0 && nesting.length === cutting.pageDepth;
  if (isElement || (nesting.length === 0 && !cutting.isPaged)) give(cutting, at, cuts);
  if (nesting.length < cutting.pageDepth) cutting.pageDepth = 0;
}

/** Adds the object that ends at `end` to `cuts`. */
function give(cutting: Cutting, end: number, cuts: CutObject[]): void {
  const { buffer, from, fromLine, page, isTooLong } = cutting;
  cutting.from = -1;
  cutting.isTooLong = false;
  if (isTooLong) return; // it was reported before
  const bytes = buffer.subarray(from, end);
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes)) cuts.push({ line: fromLine, raw: text, reason: 'the object is not UTF-8' });
  else cuts.push({ line: fromLine, text, page });
}

/** Reads text outside of objects to the end of its line, to report it. */
function readOther(cutting: Cutting): void {
  if (cutting.from < 0) Object.assign(cutting, { from: cutting.at, fromLine: cutting.line, topLine: cutting.line });
  const end = cutting.buffer.indexOf(LINE_FEED, cutting.at);
  cutting.at = end < 0 ? cutting.buffer.length : end;
}

function endLine(cutting: Cutting, cuts: CutObject[]): void {
  const { nesting, from, isStrict } = cutting;
  if (nesting.length === 0 && from >= 0) leaveOther(cutting, cuts);
  else if (nesting.length > 0 && isStrict) breakOff(cutting, cuts, 'is incomplete: its line ends', false);
  else {
    cutting.at += 1;
    cutting.line += 1;
  }
}

/** Reports text outside of objects, unless it is strict mode: there it is the rest of an incomplete object. */
function leaveOther(cutting: Cutting, cuts: CutObject[]): void {
  if (cutting.isStrict) cutting.from = -1;
  else breakOff(cutting, cuts, OTHER, false);
}

/**
 * Reports the current object as broken, and goes on outside of objects: with an object that begins at the next byte,
 * else with the next line. With `again`, at the end of the file, it goes back to the line after the broken object's
 * first one, because the object may have swallowed others.
 */
function breakOff(cutting: Cutting, cuts: CutObject[], why: string, again: boolean): void {
  const { buffer, from, fromLine, isPaged, topLine, at } = cutting;
  const raw = from < 0 ? '' : buffer.toString('utf8', from, Math.min(at, from + MAX_OBJECT)).trimEnd();
  const subject = isPaged ? 'the page that begins here ' : 'the object ';
  const reason = why === OTHER ? why : `${subject}${why}`;
  if (!cutting.isTooLong) cuts.push({ line: isPaged ? topLine : fromLine, raw, reason });
  const firstEnd = from < 0 ? -1 : buffer.indexOf(LINE_FEED, from);
  if (again && !isPaged && firstEnd >= 0) {
    Object.assign(cutting, { at: firstEnd + 1, line: fromLine + 1, isStrict: true });
  } else if (buffer[at] !== OPEN) {
    const end = buffer.indexOf(LINE_FEED, at);
    cutting.at = end < 0 ? buffer.length : end;
  }
  cutting.nesting.length = 0;
  Object.assign(cutting, { from: -1, isText: false, pageDepth: 0, page: undefined, isPaged: false, isTooLong: false });
}

/** Reports an object that is too long, and drops its bytes. */
function skipObject(cutting: Cutting, cuts: CutObject[]): void {
  const { buffer, from, fromLine, at } = cutting;
  cuts.push({
    line: fromLine,
    raw: buffer.toString('utf8', from, from + 200),
    reason: `the object is longer than ${MAX_OBJECT} bytes`,
  });
  cutting.isTooLong = true;
  cutting.buffer = buffer.subarray(at);
  cutting.from = 0;
  cutting.textFrom -= at;
  cutting.at = 0;
}
