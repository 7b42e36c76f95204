import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { z } from 'zod';
import type { Endpoint } from '#shared/endpoint.ts';
import { serveStream } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';

type Cell = string | number | boolean | Date | null | undefined;

export interface Export<Query, Row> {
  /** The rows’ kind in the audit log, such as `access-code`. */
  kind: string;
  /** The file name, without its extension. */
  name: string;
  rows: (query: Query) => AsyncIterable<Row>;
  /** Column headings with their values. */
  columns: Record<string, (row: Row) => Cell>;
}

/**
 * Mounts a CSV export: streamed row by row, and recorded in the audit log. Texts that a spreadsheet would run as a
 * formula (starting with = + - @, a tab, or a carriage return) get a leading apostrophe.
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
        // Without it Excel assumes a legacy encoding.
        bom: true,
        record_delimiter: 'windows',
        // Otherwise a lone line ending of another system breaks a row.
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
