import type { Db } from 'mongodb';
import type { FilterText, FilterWord } from '#shared/moderation/contract.ts';
import { filterOf } from '#shared/moderation/word-filter.ts';
import type { Log } from '#shared/server/log.ts';
import type { Signals } from '#shared/server/signals.ts';
import { hashOf } from '../../platform/hash.ts';
import { type RuleRow, moderationRules, seeds } from './collections.ts';
import { DEFAULT_RULES } from './default-rules.ts';

declare module '../../platform/services.ts' {
  interface Services {
    /** The moderation rules for texts. */
    ruleBook: RuleBook;
  }
}

/** The active rules, compiled. */
export interface Rules {
  /** Changes whenever the words or texts for devices change. */
  version: string;
  words: FilterWord[];
  texts: FilterText[];
  /** Returns the rules that a text violates. */
  brokenBy(text: string): RuleRow[];
}

/** Caches the active rules; a change on any server makes it reread them. */
export class RuleBook {
  readonly #rows: ReturnType<typeof moderationRules>;
  #rules: Promise<Rules> | null = null;
  readonly stop: () => void;

  constructor(db: Db, signals: Signals) {
    this.#rows = moderationRules(db);
    this.stop = signals.listen((signal) => {
      if (signal === 'lost' || (signal.topic === 'moderation' && signal.user_id === ''))
        this.#rules = null;
    });
  }

  rules(): Promise<Rules> {
    if (this.#rules) return this.#rules;
    const reading = this.#read();
    this.#rules = reading;
    reading.catch(() => {
      if (this.#rules === reading) this.#rules = null;
    });
    return reading;
  }

  async #read(): Promise<Rules> {
    const rows = await this.#rows.find({ is_active: true }).sort({ _id: 1 }).toArray();
    const words = rows.flatMap(({ rule_type, rule_pattern, severity }) =>
      rule_type === 'text' ? [] : [{ rule_type, rule_pattern, severity }],
    );
    const texts = rows.flatMap(({ rule_type, rule_pattern, severity }) =>
      rule_type === 'text' ? [{ rule_type, rule_pattern, severity }] : [],
    );
    const version = hashOf({ words, texts });
    return { version, words, texts, brokenBy: filterOf(rows) };
  }
}

const SEEDED = ['moderation-1', 'moderation-2'] as const;
const idOf = (rule: { rule_type: string; rule_pattern: string }): string =>
  `default ${rule.rule_type} ${rule.rule_pattern}`;
/** Default rules as they were created; an admin's change raises the version. */
const UNTOUCHED = { _id: { $gte: 'default ', $lt: 'default!' }, version: 0 };

/**
 * Creates the default rules once, and applies a later version of them to those that no admin has changed. Rules that admins deleted
 * stay deleted.
 */
export async function seedRules(db: Db, log: Log): Promise<void> {
  const done = await seeds(db)
    .find({ _id: { $in: [...SEEDED] } })
    .toArray();
  if (done.some(({ _id }) => _id === SEEDED[1])) return;
  const isUpdate = done.length > 0;
  const at = new Date();
  const rows = DEFAULT_RULES.flatMap(({ patterns, since = 1, ...rule }) =>
    patterns.map((rule_pattern) => ({ since, row: { ...rule, rule_pattern } })),
  );
  const ids = rows.map(({ row }) => idOf(row));
  if (isUpdate) await moderationRules(db).deleteMany({ $and: [UNTOUCHED, { _id: { $nin: ids } }] });
  await moderationRules(db).bulkWrite(
    rows.map(({ since, row }) => {
      const isNew = !isUpdate || since > 1;
      const shape = { ...row, is_active: true, updated_at: at, version: 0 };
      return {
        updateOne: isNew
          ? { filter: { _id: idOf(row) }, update: { $setOnInsert: shape }, upsert: true }
          : { filter: { _id: idOf(row), version: 0 }, update: { $set: row } },
      };
    }),
    { ordered: false },
  );
  for (const _id of SEEDED)
    await seeds(db).updateOne({ _id }, { $setOnInsert: { at } }, { upsert: true });
  log.info({ rules: rows.length }, 'created the default moderation rules');
}
