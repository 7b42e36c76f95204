import type { Db } from 'mongodb';
import { guidelineCategory, listGuidelines, type Guideline } from '#shared/moderation/contract.ts';
import {
  createGuideline,
  listAllGuidelines,
  updateGuideline,
  type AdminGuideline,
} from '#shared/moderation/rules-contract.ts';
import { createRow, edit } from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { seeds } from '../content-rules/collections.ts';
import { type GuidelineRow, guidelines } from './collections.ts';
import { DEFAULT_GUIDELINES } from './default-guidelines.ts';

const SEEDED = 'guidelines-1';

const present = ({ _id, ...row }: GuidelineRow): Guideline => ({ ...row, id: _id });
const presentForAdmins = (row: GuidelineRow): AdminGuideline => ({
  ...present(row),
  updated_at: row.updated_at.toISOString(),
  version: row.version,
});

const placeOf = ({ guideline_category }: GuidelineRow): number =>
  guidelineCategory.options.indexOf(guideline_category);

/** Ordered by category, then oldest first. */
async function inOrder(db: Db, filter: { is_active?: boolean }) {
  const rows = await guidelines(db).find(filter).sort({ created_at: 1, _id: 1 }).toArray();
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Creates the default guidelines once. */
export async function seedGuidelines(db: Db): Promise<void> {
  if (await seeds(db).findOne({ _id: SEEDED })) return;
  const at = new Date();
  for (const fields of DEFAULT_GUIDELINES)
    await guidelines(db).updateOne(
      { _id: `default ${fields.guideline_category}` },
      { $setOnInsert: { ...fields, is_active: true, created_at: at, updated_at: at, version: 0 } },
      { upsert: true },
    );
  await seeds(db).updateOne({ _id: SEEDED }, { $setOnInsert: { at } }, { upsert: true });
}

/** Guidelines for members, and their editor for admins. */
export function mountGuidelines(api: Api): void {
  const { services } = api;
  const { db } = services;

  serve(api, listGuidelines, async () => ({
    guidelines: (await inOrder(db, { is_active: true })).map(present),
  }));

  serve(api, listAllGuidelines, async () => ({
    guidelines: (await inOrder(db, {})).map(presentForAdmins),
  }));

  serve(api, createGuideline, async ({ body, caller, freshId }) => {
    const at = new Date();
    const row: GuidelineRow = {
      ...body,
      _id: freshId(),
      created_at: at,
      updated_at: at,
      version: 0,
    };
    const act = 'guideline.create';
    const made = await createRow(services, guidelines(db), { caller, act, row, auditFields: body });
    return { guideline: presentForAdmins(made) };
  });

  serve(api, updateGuideline, async ({ params: { id }, body, caller }) => {
    const { version, ...set } = body;
    const row = await edit(services, guidelines(db), {
      caller,
      act: 'guideline.update',
      id,
      version,
      set,
      derive: () => ({ updated_at: new Date() }),
      missing: 'Guideline not found',
    });
    return { guideline: presentForAdmins(row) };
  });
}
