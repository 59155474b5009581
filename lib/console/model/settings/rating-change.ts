/** The request for the number of rated cases of a site, whose ratings a new scale would read anew. */
export const COUNT_RATED = {
  fields: ['csat_ratings'],
  time: { min: '1970-01-01T00:00:00Z', max: '9000-01-01T00:00:00Z', window_size: 'none' },
} as const;

/** The number in its reply. */
export const ratedIn = ({ data }: { readonly data: readonly (readonly unknown[])[] }): number =>
  Number(data[0]?.at(-1) ?? 0);
