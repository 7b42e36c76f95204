import { HttpError, notFound } from '#shared/http/http-error.ts';
import { createTip, deleteTip, updateTip, voteForTip } from '#shared/locations/contract.ts';
import { insertOnce } from '../../platform/database.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { type TipRow, locations, locationTips, locationReports } from './collections.ts';
import { chooseTips, countReports, uncheck } from './location-stats.ts';
import { confirmPlace } from './remove-location.ts';
import { findVisible, presentTip } from './store.ts';

/** Tips about places, and votes for them. */
export function mountTips(api: Api): void {
  const { services } = api;
  const { db } = services;
  const limitNew = services.limiter({ name: 'location-tips', points: 60, seconds: 3_600 });
  const limitVotes = services.limiter({ name: 'tip-votes', points: 120, seconds: 60 });

  /** Changes a tip, and updates its place’s row. */
  async function changing<T extends object | null>(
    location_id: string,
    change: () => Promise<T>,
  ): Promise<T> {
    await locations(db).updateOne({ _id: location_id }, { $set: uncheck() });
    const changed = await change();
    await chooseTips(db, location_id);
    // The place was merged in the meantime, and its tip moved.
    if (changed && 'location_id' in changed && changed.location_id !== location_id)
      await chooseTips(db, String(changed.location_id));
    return changed;
  }

  /** @throws HttpError 400 if the word rules reject a public tip */
  async function refuseTip(
    { is_public, title, content }: Pick<TipRow, 'is_public' | 'title' | 'content'>,
    user_id: string,
    content_id: string,
  ): Promise<void> {
    if (!is_public) return;
    const fields = { title, content };
    await refuseContent(services, { user_id, content_type: 'location_tip', content_id, fields });
  }

  serve(api, createTip, async ({ body, caller: { user }, freshId }) => {
    await limitNew(user._id);
    const location = await findVisible(db, body.location_id, user._id);
    const tip: TipRow = {
      ...body,
      _id: freshId(),
      location_id: location._id,
      creator_user_id: user._id,
      helpful_user_ids: [],
      is_helpful_count: 0,
      is_active: true,
      created_at: new Date(),
    };
    await refuseTip(tip, user._id, tip._id);
    await changing(location._id, () => insertOnce(locationTips(db), tip));
    try {
      await confirmPlace(db, location._id, user._id);
    } catch (error) {
      // The place was removed before the tip was stored.
      await changing(location._id, () => locationTips(db).deleteOne({ _id: tip._id }));
      throw error;
    }
    return { tip: presentTip(tip) };
  });

  /** @throws HttpError 404 for other users’ tips */
  async function findOwn(id: string, userId: string): Promise<TipRow> {
    const tip = await locationTips(db).findOne({
      _id: id,
      creator_user_id: userId,
      is_active: true,
    });
    if (!tip) throw notFound('Tip');
    return tip;
  }

  serve(api, updateTip, async ({ params, body, caller: { user } }) => {
    await limitNew(user._id);
    const own = await findOwn(params.id, user._id);
    await refuseTip(body, user._id, own._id);
    const tip = await changing(own.location_id, () =>
      locationTips(db).findOneAndUpdate(
        { _id: own._id, is_active: true },
        { $set: body },
        { returnDocument: 'after' },
      ),
    );
    if (!tip) throw notFound('Tip');
    return { tip: presentTip(tip) };
  });

  serve(api, deleteTip, async ({ params, caller: { user } }) => {
    const own = await findOwn(params.id, user._id);
    await locationReports(db).deleteMany({ kind: 'tip', subject_id: own._id });
    await changing(own.location_id, () => locationTips(db).deleteOne({ _id: own._id }));
    await countReports(db, own.location_id);
    return {};
  });

  serve(api, voteForTip, async ({ params, body, caller: { user } }) => {
    await limitVotes(user._id);
    const tip = await locationTips(db).findOne({ _id: params.id, is_active: true });
    if (!tip || (!tip.is_public && tip.creator_user_id !== user._id)) throw notFound('Tip');
    // The same error: a private place with a tip must stay unknown to others.
    await findVisible(db, tip.location_id, user._id).catch((error: unknown) => {
      throw error instanceof HttpError ? notFound('Tip') : error;
    });
    if (tip.creator_user_id === user._id)
      throw new HttpError(400, 'You can’t vote for your own tip');
    const voters = body.is_helpful
      ? { $setUnion: ['$helpful_user_ids', [user._id]] }
      : { $setDifference: ['$helpful_user_ids', [user._id]] };
    const voted = await changing(tip.location_id, () =>
      locationTips(db).findOneAndUpdate(
        { _id: tip._id },
        [
          { $set: { helpful_user_ids: voters } },
          { $set: { is_helpful_count: { $size: '$helpful_user_ids' } } },
        ],
        { returnDocument: 'after' },
      ),
    );
    if (!voted) throw notFound('Tip');
    return { is_helpful_count: voted.is_helpful_count };
  });
}
