import type { RefusalCode } from '../../../lib/fault-details.ts';

/** The detail of a refusal, whose sentence names what it is about. */
export const saysOf = (code: RefusalCode, sentence: RegExp) => ({
  field: '',
  code,
  message: expect.stringMatching(sentence),
});
