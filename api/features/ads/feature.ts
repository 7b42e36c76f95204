import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { ApiFeature, Services } from '../../platform/services.ts';
import { mountAdvertisements } from './admin-routes.ts';
import { adIndexes, adClicks } from './collections.ts';
import { mountAds } from './routes.ts';

/** Clicks on ads. They stay counted when they are erased, without the person. */
const adClickData = ({ db }: Services): PersonalDataHandler => ({
  name: 'ad-clicks',
  async export({ _id }) {
    const rows = await adClicks(db).find({ user_id: _id }).sort({ clicked_at: 1 }).toArray();
    return rows.map(({ ad_title, ad_url, clicked_at }) => ({ ad_title, ad_url, clicked_at }));
  },
  async remove({ _id }) {
    await adClicks(db).updateMany({ user_id: _id }, { $set: { user_id: null } });
  },
});

export const ads: ApiFeature = {
  indexes: adIndexes,
  personalData: [adClickData],
  mount(api) {
    mountAds(api);
    mountAdvertisements(api);
  },
};
