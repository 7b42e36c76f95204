import type { LocationReportType } from '#shared/locations/contract.ts';

/** Reasons to report a place or a tip. */
export const REPORT_WORDS = {
  location: {
    wrong_place: 'It doesn’t exist',
    wrong_details: 'Some details are wrong',
    duplicate: 'It’s a duplicate',
    inappropriate: 'It’s inappropriate',
    spam: 'It’s advertising',
    other: 'Something else',
  },
  tip: {
    wrong_details: 'It’s wrong or out of date',
    inappropriate: 'It’s inappropriate',
    spam: 'It’s advertising',
    other: 'Something else',
  },
} as const satisfies Record<string, Partial<Record<LocationReportType, string>>>;
