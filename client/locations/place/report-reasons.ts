import type { LocationReportType } from '#shared/locations/contract.ts';

/** What may be wrong, as people choose it; not all of it can be wrong with a tip. */
export const REPORT_WORDS = {
  location: {
    wrong_place: 'It is not there',
    wrong_details: 'Something about it is wrong',
    duplicate: 'It is there twice',
    inappropriate: 'It is inappropriate',
    spam: 'It is advertising',
    other: 'Something else',
  },
  tip: {
    wrong_details: 'It is wrong or out of date',
    inappropriate: 'It is inappropriate',
    spam: 'It is advertising',
    other: 'Something else',
  },
} as const satisfies Record<string, Partial<Record<LocationReportType, string>>>;
