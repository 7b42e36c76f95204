import type { Context } from 'koa';
import type { Db } from 'mongodb';
import { bookingStatus, listingStatus } from '#shared/ads/rules.ts';
import { telLink } from '#shared/advertisers/business-types.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { hashOf } from '../../platform/hash.ts';
import { clearDue, deleteDue } from '../../platform/retention.ts';
import type { Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import {
  isListingId,
  type AdId,
  type ClickRow,
  type Doubt,
  type ImpressionRow,
  type ListingRow,
  advertisements,
  advertisementBookings,
  businessListings,
  adImpressions,
  adClicks,
} from './collections.ts';
import type { views } from './view-tokens.ts';
import type { visitors } from './visitor-hash.ts';

/** No person views or clicks more ads per minute. */
const VIEWS_MAX = 60;
const CLICKS_MAX = 10;
/** Repeated clicks within this time count once. */
const AGAIN_MS = 30 * MINUTE_MS;
const SEEN_MS = DAY_MS;
const RETENTION_MS = 30 * DAY_MS;

const ROBOT =
  /bot|crawl|spider|slurp|headless|preview|scrape|monitor|lighthouse|phantom|selenium|puppeteer|playwright|curl|wget|python|java\/|go-http|okhttp|axios|node|undici/i;

/** Whether a request has the user agent of a robot or none, or has neither Origin nor Sec-Fetch-Site. */
function isAutomated(ctx: Context): boolean {
  const agent = ctx.get('user-agent');
  const fromPage = ctx.get('sec-fetch-site') === 'same-origin' || ctx.get('origin') !== '';
  return agent === '' || ROBOT.test(agent) || !fromPage;
}

interface Clicked {
  ad_id: AdId;
  ad_title: string;
  ad_url: string;
  view_id?: string | undefined;
}

interface KnownAd {
  title: string;
  /** The URLs that it links to. */
  targets: string[];
  isRunning: boolean;
}

/**
 * Records views and clicks. Suspicious ones are stored with the reason and not counted; the response does not reveal it. Decision 60.
 */
export function adEvents(
  { db }: Services,
  known: { visitors: ReturnType<typeof visitors>; views: ReturnType<typeof views> },
) {
  async function doubtView(
    ctx: Context,
    ad: KnownAd,
    view: Omit<ImpressionRow, 'doubt'>,
  ): Promise<Doubt | null> {
    if (isAutomated(ctx)) return 'automated';
    if (!known.views.isGood(view._id, view.ad_id, view.at)) return 'not_seen';
    if (!ad.isRunning) return 'not_running';
    const minute = new Date(view.at.getTime() - MINUTE_MS);
    const lately = { who: view.who, at: { $gt: minute } };
    const count = await adImpressions(db).countDocuments(lately, { limit: VIEWS_MAX });
    return count >= VIEWS_MAX ? 'too_fast' : null;
  }

  /** Whether this page, or this person, has seen the ad before. */
  async function wasSeen({ ad_id, who, clicked_at }: ClickRow, viewId?: string): Promise<boolean> {
    const day = new Date(clicked_at.getTime() - SEEN_MS);
    const seen = { ad_id, doubt: null, at: { $gt: day } };
    const [here, before] = await Promise.all([
      viewId ? adImpressions(db).findOne({ _id: viewId, ...seen }) : null,
      adImpressions(db).findOne({ who, ...seen }),
    ]);
    return here !== null || before !== null;
  }

  /** Filters clicks of the same person, on all devices if signed in. */
  const by = ({ who, user_id }: ClickRow) => (user_id ? { user_id } : { who });

  async function doubtClick(
    ctx: Context,
    ad: KnownAd,
    click: ClickRow,
    reported: Clicked,
  ): Promise<Doubt | null> {
    if (isAutomated(ctx)) return 'automated';
    if (reported.ad_title !== ad.title || !ad.targets.includes(reported.ad_url)) return 'mismatch';
    if (!ad.isRunning) return 'not_running';
    if (!(await wasSeen(click, reported.view_id))) return 'not_seen';
    const since = (ms: number) => ({
      ...by(click),
      clicked_at: { $gt: new Date(click.clicked_at.getTime() - ms) },
    });
    const lately = await adClicks(db).countDocuments(since(MINUTE_MS), { limit: CLICKS_MAX });
    if (lately >= CLICKS_MAX) return 'too_fast';
    const again = await adClicks(db).findOne({
      ...since(AGAIN_MS),
      ad_id: click.ad_id,
      doubt: null,
    });
    return again ? 'duplicate' : null;
  }

  /** Concurrent clicks do not see each other; the unique index on `once` detects them. */
  const onceOf = (click: ClickRow) =>
    hashOf([
      click.user_id ?? click.who,
      click.ad_id,
      Math.floor(click.clicked_at.getTime() / AGAIN_MS),
    ]);

  async function store(click: ClickRow): Promise<void> {
    try {
      await adClicks(db).insertOne(click.doubt ? click : { ...click, once: onceOf(click) });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      if (click.doubt || (await adClicks(db).findOne({ _id: click._id }))) return;
      await store({ ...click, doubt: 'duplicate' });
    }
  }

  return {
    /** @throws HttpError 404 when there is no such ad */
    async seen(
      ctx: Context,
      visitor: Caller | null,
      { ad_id, view_id }: { ad_id: AdId; view_id: string },
    ): Promise<void> {
      const at = new Date();
      const ad = await adOf(db, ad_id, at);
      // Not stored with an invalid id, or anyone could fill the collection.
      if (!known.views.isOurs(view_id, ad_id)) return;
      const who = await known.visitors.idOf(ctx, visitor, at);
      const view = { _id: view_id, ad_id, who, at };
      const doubt = await doubtView(ctx, ad, view);
      // The last views may get lost in a power failure.
      const writeConcern = { w: 1, journal: false };
      await insertIfAbsent(adImpressions(db), { ...view, doubt }, { writeConcern });
    },

    /**
     * Stores a click, once for each Idempotency-Key.
     * @throws HttpError 404 when there is no such ad
     */
    async clicked(
      ctx: Context,
      visitor: Caller | null,
      reported: Clicked,
      idFor: (holder: string) => Promise<string>,
    ): Promise<void> {
      const clicked_at = new Date();
      const ad = await adOf(db, reported.ad_id, clicked_at);
      const who = await known.visitors.idOf(ctx, visitor, clicked_at);
      const user_id = visitor?.user._id ?? null;
      const click: ClickRow = {
        _id: await idFor(user_id ?? who),
        ad_id: reported.ad_id,
        ad_title: ad.title,
        ad_url: ad.targets.find((url) => url === reported.ad_url) ?? ad.targets[0] ?? '',
        user_id,
        who,
        clicked_at,
        doubt: null,
      };
      await store({ ...click, doubt: await doubtClick(ctx, ad, click, reported) });
    },

    /** Deletes old views, which are counted by then, and old clicks that did not count. */
    async runJob(): Promise<void> {
      const before = { $lt: new Date(Date.now() - RETENTION_MS) };
      await deleteDue(adImpressions(db), { at: before });
      await deleteDue(adClicks(db), { doubt: { $type: 'string' }, clicked_at: before });
      // It was counted, so the person is not needed anymore.
      await clearDue(
        adClicks(db),
        { user_id: { $type: 'string' }, clicked_at: before },
        { $set: { user_id: null, who: '' }, $unset: { once: '' } },
      );
    },
  };
}

/** The links of a listing: its website and phone number. */
const listingTargets = ({ website_url, phone }: ListingRow): string[] => [
  ...(website_url ? [website_url] : []),
  ...(phone ? [telLink(phone)] : []),
];

async function adOf(db: Db, id: AdId, now: Date): Promise<KnownAd> {
  if (isListingId(id)) {
    const ad = await businessListings(db).findOne({ _id: id });
    const status = ad && listingStatus(ad, now);
    // Search results may be some time old.
    const isRunning = status === 'active' || status === 'paused' || status === 'expired';
    if (ad && isRunning) return { title: ad.business_name, targets: listingTargets(ad), isRunning };
  } else if (typeof id === 'string') {
    const ad = await advertisements(db).findOne({ _id: id });
    if (ad) return { title: ad.title, targets: [ad.target_url], isRunning: ad.active };
  } else {
    const ad = await advertisementBookings(db).findOne({ _id: id });
    const status = ad && bookingStatus(ad, now);
    // A page that was opened earlier may still show it.
    const isRunning = status === 'active' || status === 'completed';
    if (ad && status !== 'pending' && status !== 'failed' && status !== 'scheduled')
      return { title: ad.title, targets: [ad.target_url], isRunning };
  }
  throw new HttpError(404, 'Advertisement not found');
}
