import { Clock, MapPin, type LucideIcon } from 'lucide-react';
import { isWebAddress, withScheme } from '#shared/ads/rules.ts';
import { businessType } from '#shared/advertisers/business-types.ts';
import { createAdvertiser, createLocationAd, createTimedAd } from '#shared/advertisers/contract.ts';
import {
  LISTING_CENTS,
  LISTING_DAYS,
  SLOT_HOURS,
  timedAdCents,
} from '#shared/advertisers/rules.ts';
import { newId } from '#shared/ids.ts';
import { dollars } from '#shared/money.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../../platform/forms/use-submit.ts';
import { isNotFound } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { usePicture } from '../../../platform/pictures/use-picture.ts';
import { ImageField } from '../../../platform/ui/inputs/image-field.tsx';
import { optionalLabel } from '../../../platform/ui/inputs/optional-label.tsx';
import { useObjectUrl } from '../../../platform/ui/inputs/use-object-url.ts';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { AD_FRAME, AdFace } from '../../ads/ad-content.tsx';
import { SLOT_HEIGHTS } from '../../ads/slot-props.ts';
import { BusinessFace, businessFrame } from '../../locations/search/business-face.tsx';
import { LocalFields } from '../local-fields.tsx';
import { ReachEstimate } from '../reach-estimate.tsx';
import { requireSchema } from '../require-schema.ts';
import { TimedFields } from '../timed-fields.tsx';
import { companyOf, typedIn, type Draft } from './draft.ts';
import type { useDraft } from './use-draft.ts';

const KINDS: readonly {
  kind: Draft['kind'];
  name: string;
  price: string;
  words: string;
  Icon: LucideIcon;
}[] = [
  {
    kind: 'timed',
    name: 'Timed ad',
    price: `${dollars(timedAdCents(SLOT_HOURS))} for ${SLOT_HOURS} hours`,
    words: 'Your ad is the only one in its spot while it runs.',
    Icon: Clock,
  },
  {
    kind: 'local',
    name: 'Location-based ad',
    price: `${dollars(LISTING_CENTS)} for ${LISTING_DAYS} days`,
    words: 'Shown to owners looking for a place to walk near your business.',
    Icon: MapPin,
  },
];

/** Placeholder until the advertiser exists, for validation. */
const NO_ADVERTISER = 'none';

/** Converts a draft for the call. The start is sent in UTC, because the server doesn't know this device's time zone. */
function bodyOf({ kind, timed, local, image_name, ad, advertiser_id }: Draft) {
  const common = {
    advertiser_id: advertiser_id ?? NO_ADVERTISER,
    ...(ad?.kind === kind ? { advertisement_id: ad.id } : {}),
    image_filename: image_name,
  };
  if (kind === 'local') return { ...common, ...local };
  const { start, ...words } = timed;
  const time = new Date(start);
  const scheduled_start_at = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  return { ...common, ...words, scheduled_start_at, duration_hours: SLOT_HOURS };
}

/** The step for the ad's content, place and time. */
export function DetailsStep({
  wizard: { draft, change, image, chooseImage },
  onBack,
  onDone,
}: {
  wizard: ReturnType<typeof useDraft>;
  onBack: () => void;
  onDone: () => void;
}) {
  const { kind, timed, local } = draft;
  const chosen = usePicture({ endpoint: createTimedAd });
  const url = useObjectUrl(image ?? null);
  const form = useSubmit(async () => {
    requireSchema((kind === 'timed' ? createTimedAd : createLocationAd).body, bodyOf(draft));
    if (image === undefined) throw new InvalidForm({});
    const { advertiser } = await call(createAdvertiser, { body: companyOf(draft) });
    const picked = await chosen.taken();
    const own = { ...draft, ...(picked && { image_name: picked.name }) };
    await saveAd({ ...own, advertiser_id: advertiser.id }, picked ?? image);
    onDone();
  });
  const { fields, clear } = form;
  // The preview stands beside what one types, or below it.
  const isWide = useMedia('(min-width: 64rem)');

  /** Updates the ad from an earlier attempt, even with another email; creates a new one if it was removed. */
  async function saveAd(own: Draft, picture: Blob | null) {
    try {
      await sendAd(own, picture);
    } catch (error) {
      if (!own.ad || !isNotFound(error)) throw error;
      await sendAd({ ...own, ad: null, request: null }, picture);
    }
  }

  async function sendAd(own: Draft, picture: Blob | null) {
    const body = bodyOf(own);
    const of = JSON.stringify([kind, body, picture?.size]);
    const request = own.request?.of === of ? own.request : { key: newId(), of };
    change({ advertiser_id: own.advertiser_id, ad: own.ad, request });
    // Null sends the form without a file, as the specification has it.
    const more = { file: picture, idempotencyKey: request.key };
    const { advertisement } =
      kind === 'timed'
        ? await call(createTimedAd, { body: body as never, ...more })
        : await call(createLocationAd, { body: body as never, ...more });
    const { id, cost_cents, review } = advertisement;
    const title = kind === 'timed' ? timed.title : local.business_name;
    const start = kind === 'timed' ? new Date(timed.start).toISOString() : null;
    change({ ad: { id, kind, cost_cents, review, title, start, of: typedIn(own) } });
  }

  const preview = <AdPreview draft={draft} image={image ?? null} />;
  return (
    <div className="flex flex-col items-stretch gap-8 lg:flex-row lg:items-start">
      <Form
        form={form}
        submit="Continue to payment"
        pending={image ? 'Uploading photo…' : 'Saving…'}
        disabled={image === undefined}
        onCancel={onBack}
        cancel="Back"
        className="min-w-0 flex-1 gap-5 lg:max-w-xl"
      >
        <fieldset className="grid gap-3 sm:grid-cols-2">
          <legend className="sr-only">Kind of advertisement</legend>
          {KINDS.map((each) => (
            <label
              key={each.kind}
              className="flex cursor-pointer flex-col gap-1 rounded-card border border-line-strong bg-surface p-4 has-checked:border-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <span className="flex items-center gap-2 font-bold">
                <input
                  type="radio"
                  name="kind"
                  checked={kind === each.kind}
                  onChange={() => {
                    clear();
                    change({ kind: each.kind });
                  }}
                  className="size-5 accent-accent"
                />
                <each.Icon aria-hidden className="size-5 shrink-0" />
                {each.name}
              </span>
              <span className="font-bold">{each.price}</span>
              <span className="text-sm text-soft">{each.words}</span>
            </label>
          ))}
        </fieldset>
        {kind === 'timed' ? (
          <TimedFields
            timed={timed}
            adId={draft.ad?.kind === 'timed' ? draft.ad.id : undefined}
            fields={fields}
            change={(changes) => {
              clear(
                ...Object.keys(changes).map((name) =>
                  name === 'start' ? 'scheduled_start_at' : name,
                ),
              );
              change({ timed: { ...timed, ...changes } });
            }}
          />
        ) : (
          <LocalFields
            local={local}
            fields={fields}
            change={(changes) => {
              clear(...Object.keys(changes));
              change({ local: { ...local, ...changes } });
            }}
          />
        )}
        <ImageField
          label={optionalLabel('Photo', ', under 5 MB')}
          preview={
            url && (
              <img
                src={url}
                alt=""
                className="size-20 shrink-0 rounded-control bg-sunken object-cover"
              />
            )
          }
          hasImage={Boolean(image)}
          error={chosen.problem}
          onChoose={(file) => chosen.choose(file, chooseImage)}
          remove={{
            label: `Remove ${draft.image_name ?? 'the photo'}`,
            onRemove: () => {
              chosen.clear();
              chooseImage(null);
            },
          }}
        />
        {kind === 'local' && <ReachEstimate ad={{ kind }} />}
        {!isWide && preview}
      </Form>
      {isWide && <aside className="sticky top-4 w-82 shrink-0">{preview}</aside>}
    </div>
  );
}

/** What is typed, as wide as on a small phone, drawn by the same components as for owners. */
function AdPreview({ draft: { kind, timed, local }, image }: { draft: Draft; image: Blob | null }) {
  const image_url = useObjectUrl(image);
  const business_type = businessType.catch('other').parse(local.business_type);
  const website_url = withScheme(local.website_url.trim());
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption>
        <span className="font-bold">Preview</span>{' '}
        <span className="text-soft">(on a small phone)</span>
      </figcaption>
      {kind === 'timed' ? (
        <div className={`w-full max-w-82 ${SLOT_HEIGHTS[timed.placement]}`}>
          <div className={AD_FRAME}>
            <AdFace
              title={timed.title.trim() || 'Title'}
              description={timed.description.trim() || 'Description'}
              image_url={image_url}
              placement={timed.placement}
            />
          </div>
        </div>
      ) : (
        <div className={`w-full max-w-82 ${businessFrame({ business_type })}`}>
          <BusinessFace
            Heading="h2"
            business={{
              business_name: local.business_name.trim() || 'Business name',
              business_type,
              description: local.description.trim() || 'Description',
              address: local.address.trim() || null,
              phone: local.phone.trim() || null,
              website_url: isWebAddress(website_url) ? website_url : null,
              image_url,
            }}
          />
        </div>
      )}
    </figure>
  );
}
