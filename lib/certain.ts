/** A value that is there by what stands around it; throws where it is not. */
export function certain<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value is missing that must be there');
  return value;
}
