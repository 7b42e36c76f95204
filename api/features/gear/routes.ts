import { readGear, saveGear } from '#shared/gear/contract.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { gearRows } from './collections.ts';

/** Mounts the calls of an owner's list for walks. */
export function mountGear(api: Api): void {
  const { db } = api.services;
  serve(api, readGear, async ({ caller }) => {
    const row = await gearRows(db).findOne({ _id: caller.user._id });
    return { text: row?.text ?? '' };
  });
  serve(api, saveGear, async ({ caller, body }) => {
    const { text } = body;
    await gearRows(db).updateOne({ _id: caller.user._id }, { $set: { text } }, { upsert: true });
    return { text };
  });
}
