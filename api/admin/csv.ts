import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { z } from 'zod';
import type { Endpoint } from '#shared/endpoint.ts';
import { serveStream } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';

type Cell = string | number | boolean | Date | null | undefined;

export interface Export<Query, Row> {
  /** What the rows are, as the audit log calls them: `access-code`. */
  kind: string;
  /** The file's name, without its ending. */
  name: string;
  rows: (query: Query) => AsyncIterable<Row>;
  /** Each column's heading, and what stands in it. */
  columns: Record<string, (row: Row) => Cell>;
}

/**
 * Mounts an export of a list for a spreadsheet: sent row by row as it is read, and noted in the audit log. What a
 * spreadsheet would run as a formula (a text that begins with = + - @, a tab or a carriage return) gets an apostrophe
 * before it, and is shown as it is.
 */
export function serveExport<P extends z.ZodType, Q extends z.ZodType, Row>(
  api: Api,
  endpoint: Endpoint<P, Q, z.ZodType<undefined>>,
  { kind, name, columns, rows }: Export<z.output<Q>, Row>,
): void {
  const { audit, log } = api.services;
  const cells = Object.values(columns);

  serveStream(api, endpoint, async ({ query, caller, ctx }) => {
    async function* lines() {
      for await (const row of rows(query)) yield cells.map((cell) => plain(cell(row)));
    }
    const act = { caller, subject_id: 'list', before: null, after: query as object };
    await audit({ ...act, act: `${kind}.export` }, async () => {
      const csv = stringify({
        header: true,
        columns: Object.keys(columns),
        escape_formulas: true,
        // Excel takes a file without it for one of its old code pages.
        bom: true,
        record_delimiter: 'windows',
        // Else only its own line ends are quoted, and a lone one of another system breaks a row.
        quoted_match: /[\r\n]/,
      });
      ctx.attachment(`${name}-${new Date().toISOString().slice(0, 10)}.csv`);
      ctx.type = 'text/csv; charset=utf-8';
      ctx.status = 200;
      ctx.body = pipeline(Readable.from(lines()), csv, (error) => {
        if (error) log.warn({ err: error }, 'an export was interrupted');
      });
    });
  });
}

function plain(cell: Cell): string | number {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'boolean' ? String(cell) : cell;
}
