import { z } from 'zod';

const PAGE_SIZE = 50;
/** So many rows a page has at most, and an act takes at a time. */
export const PAGE_MAX = 200;
/** Beyond so many a filtered list is not counted on: to count a million takes longer than anybody waits. */
export const COUNT_MAX = 1_000;
export const SEARCH_MAX = 100;

/** The query parameters of a list that comes page by page; none of them need be given. */
export const paging = {
  /** A `next_cursor` or `previous_cursor` of the same list in the same order. */
  cursor: z.string().min(1).max(500).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_SIZE),
};

/** Words that a row must have, each at least by its beginning. */
export const search = z.string().trim().max(SEARCH_MAX).optional();

/** What the answer of such a list has beside its rows. */
export const paged = {
  /** How many there are on all pages. */
  total: z.number().int(),
  /** Whether there are more than `total`, and nobody counted how many. */
  total_is_capped: z.boolean(),
  /** Null on the last page. */
  next_cursor: z.string().nullable(),
  /** Null on the first page. */
  previous_cursor: z.string().nullable(),
};

/** What a list says of its pages. */
export type Paged = z.infer<z.ZodObject<typeof paged>>;

/** How often a row was edited: whoever states the one that was read overwrites nobody. */
export const version = z.number().int().min(0);

/** The query of a deletion: stated, nothing goes that is not as it was seen. */
export const asSeen = z.object({ version: z.coerce.number().int().min(0).optional() });

/** The code of a 409: somebody else edited it since it was read. `fields` names what is different now. */
export const EDITED_MEANWHILE = 'edited_meanwhile';
/** The words with it. */
export const EDITED_TEXT = 'Another admin changed this in the meantime';

/** Which rows an act is for, each as the admin has seen it. */
export const bulkItems = z
  .array(z.object({ id: z.string().min(1).max(64), version: version.optional() }))
  .min(1)
  .max(PAGE_MAX);
export type BulkItem = z.infer<typeof bulkItems>[number];

/** What became of each. */
export const bulkOutcome = z.object({
  done: z.array(z.string()),
  /** What others edited or took away meanwhile, with the words for it. */
  skipped: z.array(z.object({ id: z.string(), why: z.string() })),
});
export type BulkOutcome = z.infer<typeof bulkOutcome>;
