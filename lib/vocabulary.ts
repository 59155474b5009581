/** The lists of the domain, each once. */

/** The statuses of a case. Stored data holds their indices, so a new status goes last. */
export const CASE_STATUSES = ['new', 'open', 'pending', 'resolved', 'closed'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** The statuses that a person can set. */
export const GIVEN_STATUSES = ['open', 'pending', 'resolved', 'closed'] as const satisfies readonly CaseStatus[];

export const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

/** The days of a calendar's hours. */
export const CALENDAR_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
