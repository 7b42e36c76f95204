import { z } from 'zod';

const PAGE_SIZE = 50;
/** The maximum number of rows on a page and in a bulk action. */
export const PAGE_MAX = 200;
/** Filtered lists are counted up to this number, because counting a million rows takes too long. */
export const COUNT_MAX = 1_000;
export const SEARCH_MAX = 100;

/** The optional query parameters of a list with pages. */
export const paging = {
  /** A `next_cursor` or `previous_cursor` of the same list in the same order. */
  cursor: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_SIZE),
};

/** A row must have a word that begins with each of these. */
export const search = z.string().trim().max(SEARCH_MAX).optional();

/** The fields of such a list's answer, besides its rows. */
export const paged = {
  /** The number of rows on all pages. */
  total: z.number().int(),
  /** The number of the page's first row, from 1; 0 without rows, null where it isn't known. */
  first: z.number().int().min(0).nullable().default(null),
  /** Whether there are more than `total`. */
  total_is_capped: z.boolean(),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
  /** Null on the first page. */
  previous_cursor: z.string().nullable(),
};

/** The page information of a list. */
export type Paged = z.infer<z.ZodObject<typeof paged>>;

/** The number of edits of a row. Sent with an edit, it prevents overwriting another admin's. */
export const version = z.number().int().min(0);

/** The query of a deletion: with a version, only that version is deleted. */
export const asSeen = z.object({ version: z.coerce.number().int().min(0).optional() });

/** The code of a 409: another admin edited it since it was read. `fields` names the changed fields. */
export const EDITED_MEANWHILE = 'edited_meanwhile';
/** The message of that error. */
export const EDITED_TEXT = 'Another admin changed this in the meantime';

/** The rows of a bulk action, each with the version that the admin has seen. */
export const bulkItems = z
  .array(z.object({ id: z.string().min(1).max(64), version: version.optional() }))
  .min(1)
  .max(PAGE_MAX);
export type BulkItem = z.infer<typeof bulkItems>[number];

/** The result for each row. */
export const bulkOutcome = z.object({
  done: z.array(z.string()),
  /** Rows that others edited or deleted in the meantime, with the message for each. */
  skipped: z.array(z.object({ id: z.string(), why: z.string() })),
});
export type BulkOutcome = z.infer<typeof bulkOutcome>;
