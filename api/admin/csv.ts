import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Context } from 'koa';
import type { Log } from '../log.ts';

type Cell = string | number | boolean | Date | null | undefined;

/**
 * Answers with a table for a spreadsheet, row by row as they are read. What a spreadsheet would run as a formula (a text
 * that begins with = + - @, a tab or a carriage return) gets an apostrophe before it, and is shown as it is.
 * @param name of the file, without its ending
 * @param columns each column's heading and what stands in it
 */
export function sendCsv<Row>(
  ctx: Context,
  log: Log,
  name: string,
  columns: Record<string, (row: Row) => Cell>,
  rows: AsyncIterable<Row>,
): void {
  const cells = Object.values(columns);
  async function* lines() {
    for await (const row of rows) yield cells.map((cell) => plain(cell(row)));
  }
  const csv = stringify({
    header: true,
    columns: Object.keys(columns),
    escape_formulas: true,
    // Excel takes a file without it for one of its old code pages.
    bom: true,
    record_delimiter: 'windows',
  });
  ctx.attachment(`${name}-${new Date().toISOString().slice(0, 10)}.csv`);
  ctx.type = 'text/csv; charset=utf-8';
  ctx.status = 200;
  ctx.body = pipeline(Readable.from(lines()), csv, (error) => {
    if (error) log.warn({ err: error }, 'an export broke off');
  });
}

function plain(cell: Cell): string | number {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'boolean' ? String(cell) : cell;
}
