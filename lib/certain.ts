/** Returns a value that cannot be undefined by the code around it; throws if it is. */
export function certain<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a required value is missing');
  return value;
}
