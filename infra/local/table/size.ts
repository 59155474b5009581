const CONTAINER = 3; // bytes of a list or map itself; each element adds one
const DIGITS = 2; // significant digits in a byte

/** The size of an item in bytes as DynamoDB counts it: names and values (developer guide). */
export function sizeOf(item: object): number {
  let size = 0;
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) size += Buffer.byteLength(name) + sizeOfValue(value);
  }
  return size;
}

function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return sizeOfNumber(value);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) {
    let size = CONTAINER;
    for (const one of value) if (one !== undefined) size += 1 + sizeOfValue(one);
    return size;
  }
  if (typeof value === 'object' && value !== null) return CONTAINER + sizeOf(value) + countOf(value);
  return 1;
}

const countOf = (map: object): number => Object.values(map).filter((value) => value !== undefined).length;

/** One byte, one more for each two significant digits, and one for a minus sign. */
function sizeOfNumber(value: number | bigint): number {
  const [digits = ''] = String(value).replace('-', '').split('e');
  const significant = digits.replace('.', '').replace(/^0+|0+$/g, '').length;
  return 1 + Math.ceil(significant / DIGITS) + (value < 0 ? 1 : 0);
}
