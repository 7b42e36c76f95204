import { MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import { vi } from 'vitest';

/** A query as a server sent it. */
export interface RecordedQuery {
  collection: string;
  /** In the form that `explain` takes. */
  command: Document;
  /** The same for queries that differ in values only. */
  shape: string;
}

export interface QueryPlan extends RecordedQuery {
  isScan: boolean;
  examined: number;
  returned: number;
}

/** How many queries of one shape are explained: their plans may differ with their values. */
const PER_SHAPE = 3;
const FIELDS = {
  find: ['filter', 'sort', 'limit', 'skip', 'projection', 'hint', 'collation', 'singleBatch'],
  aggregate: ['pipeline', 'cursor', 'hint', 'collation'],
  count: ['query', 'limit', 'hint'],
  distinct: ['key', 'query', 'hint'],
  findAndModify: ['query', 'sort', 'update', 'remove', 'upsert', 'arrayFilters', 'hint'],
} as const;

/** Returns a MongoDB URI whose clients report their commands. */
export const monitoredUri = (uri: string): string =>
  `${uri}${uri.includes('?') ? '&' : `${uri.replace(/^mongodb:\/\/[^/]*/, '') === '' ? '/' : ''}?`}monitorCommands=true`;

/** Records the queries of all clients with a monitored URI that connect until `stop`. */
export function recordQueries() {
  let recorded: RecordedQuery[] = [];
  const stop = onCommands((event) => recorded.push(...queriesOf(event)));
  return {
    /** Returns what was recorded since the last call. */
    take(): RecordedQuery[] {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    stop,
  };
}

/**
 * Tells of the commands of all clients with a monitored URI that connect until it is stopped.
 * @returns how to stop it
 */
export function onCommands(listener: (event: CommandStartedEvent) => unknown): () => void {
  const connect = Reflect.get<MongoClient, 'connect'>(MongoClient.prototype, 'connect');
  const spy = vi.spyOn(MongoClient.prototype, 'connect').mockImplementation(function (
    this: MongoClient,
  ) {
    if (this.listenerCount('commandStarted') === 0)
      this.on('commandStarted', (event) => void listener(event));
    return connect.call(this);
  });
  return () => spy.mockRestore();
}

function queriesOf({ commandName, command }: CommandStartedEvent): RecordedQuery[] {
  const collection: unknown = command[commandName];
  if (typeof collection !== 'string') return [];
  const query = (explained: Document): RecordedQuery => ({
    collection,
    command: explained,
    shape: JSON.stringify(shapeOf(explained)),
  });
  if (commandName === 'update')
    return (command['updates'] as Document[]).map((update) =>
      query({ update: collection, updates: [update] }),
    );
  if (commandName === 'delete')
    return (command['deletes'] as Document[]).map((each) =>
      query({ delete: collection, deletes: [each] }),
    );
  if (!(commandName in FIELDS)) return [];
  const explained: Document = { [commandName]: collection };
  for (const field of FIELDS[commandName as keyof typeof FIELDS])
    if (command[field] !== undefined) explained[field] = command[field] as unknown;
  return [query(explained)];
}

/** Replaces values by their types; written values are ignored. */
function shapeOf(value: unknown, key = ''): unknown {
  if (['u', 'update', 'updates'].includes(key) && !Array.isArray(value)) return key;
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  const isPlain = typeof value === 'object' && value?.constructor === Object;
  if (!isPlain) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shapeOf(each, name)]),
  );
}

/** Explains queries, a few of each shape. */
export async function explainAll(db: Db, queries: RecordedQuery[]): Promise<QueryPlan[]> {
  const counts = new Map<string, number>();
  const plans: QueryPlan[] = [];
  for (const query of queries) {
    const count = counts.get(query.shape) ?? 0;
    counts.set(query.shape, count + 1);
    if (count >= PER_SHAPE) continue;
    const explained = await db.command({ explain: query.command, verbosity: 'executionStats' });
    plans.push({ ...query, ...readPlan(explained) });
  }
  return plans;
}

/** What a query's outermost stage counts, if it does not return rows. */
const COUNTED = ['nMatched', 'nWouldDelete', 'nCounted'];

/** Reads a plan. That of an aggregation has the query's plan in its first stage. */
function readPlan(explained: Document) {
  const found = { isScan: false, examined: 0, returned: 0 };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(visit);
    for (const [key, each] of Object.entries(value)) {
      if (key === 'stage' && each === 'COLLSCAN') found.isScan = true;
      if (key === 'totalDocsExamined') found.examined += Number(each);
      if (key === 'executionStats') found.returned += returnedOf(each as Document);
      if (key !== 'rejectedPlans' && key !== 'command') visit(each);
    }
  };
  visit(explained);
  return found;
}

const returnedOf = ({ nReturned, executionStages }: Document): number =>
  Math.max(
    Number(nReturned),
    ...COUNTED.map((name) => Number((executionStages as Document | undefined)?.[name] ?? 0)),
  );
