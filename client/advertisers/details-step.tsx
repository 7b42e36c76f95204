import { Clock, MapPin, type LucideIcon } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { createAdvertiser, createLocationAd, createTimedAd } from '#shared/advertisers/contract.ts';
import {
  LISTING_CENTS,
  LISTING_DAYS,
  SLOT_HOURS,
  timedAdCents,
} from '#shared/advertisers/rules.ts';
import { dollars } from '#shared/money.ts';
import { call } from '../api.ts';
import { hasGone } from '../call.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { useProblems } from '../use-problems.ts';
import { AdPreview } from './ad-preview.tsx';
import { companyOf, typedIn, type Draft } from './draft.ts';
import { problemsIn, unanswered } from './field-problems.ts';
import { ImageField } from './image-field.tsx';
import { LocalFields } from './local-fields.tsx';
import { TimedFields } from './timed-fields.tsx';
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
    words: 'Yours alone in its place, on the start page and on every dashboard.',
    Icon: Clock,
  },
  {
    kind: 'local',
    name: 'Location-based ad',
    price: `${dollars(LISTING_CENTS)} for ${LISTING_DAYS} days`,
    words: 'Shown to owners who look for a place to walk near your business.',
    Icon: MapPin,
  },
];

/** Stands for the advertiser until there is one. */
const NOBODY_YET = 'nobody';

/** What is sent of a draft. The start is told in UTC: a time on this device's clock means nothing elsewhere. */
function bodyOf({ kind, timed, local, image_name, ad, advertiser_id }: Draft) {
  const common = {
    advertiser_id: advertiser_id ?? NOBODY_YET,
    ...(ad?.kind === kind ? { advertisement_id: ad.id } : {}),
    image_filename: image_name,
  };
  if (kind === 'local') return { ...common, ...local };
  const { start, ...words } = timed;
  const time = new Date(start);
  const scheduled_start_at = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  return { ...common, ...words, scheduled_start_at };
}

/** What is advertised, where and when. */
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
  const { form, words, fields, show, showRefusal, forgive } = useProblems();
  const [saving, setSaving] = useState(false);
  const endpoint = kind === 'timed' ? createTimedAd : createLocationAd;

  async function save(event: FormEvent) {
    event.preventDefault();
    const wrong = endpoint.body ? problemsIn(endpoint.body, bodyOf(draft)) : null;
    show(wrong?.words ?? '', wrong?.fields);
    if (wrong || image === undefined) return;
    setSaving(true);
    let failure = createAdvertiser.failure;
    try {
      const { advertiser } = await call(createAdvertiser, { body: companyOf(draft) });
      failure = endpoint.failure;
      await saveAd(advertiser.id, image);
      onDone();
    } catch (error) {
      showRefusal(error, unanswered(failure));
      setSaving(false);
    }
  }

  /** Changes what was begun before, also where the email is another one by now; begins anew where that has gone. */
  async function saveAd(advertiser_id: string, picture: Blob | null) {
    try {
      await sendAd({ ...draft, advertiser_id }, picture);
    } catch (error) {
      if (!draft.ad || !hasGone(error)) throw error;
      await sendAd({ ...draft, advertiser_id, ad: null, request: null }, picture);
    }
  }

  async function sendAd(own: Draft, picture: Blob | null) {
    const body = bodyOf(own);
    const of = JSON.stringify([kind, body, picture?.size]);
    const request = own.request?.of === of ? own.request : { key: crypto.randomUUID(), of };
    change({ advertiser_id: own.advertiser_id, ad: own.ad, request });
    const more = { ...(picture ? { file: picture } : {}), idempotencyKey: request.key };
    const { advertisement } =
      kind === 'timed'
        ? await call(createTimedAd, { body: body as never, ...more })
        : await call(createLocationAd, { body: body as never, ...more });
    const { id, cost_cents, review } = advertisement;
    const title = kind === 'timed' ? timed.title : local.business_name;
    const start = kind === 'timed' ? new Date(timed.start).toISOString() : null;
    change({ ad: { id, kind, cost_cents, review, title, start, of: typedIn(draft) } });
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void save(event)}
      noValidate
      className="flex flex-col gap-5"
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
                  show('');
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
            for (const name of Object.keys(changes))
              forgive(name === 'start' ? 'scheduled_start_at' : name);
            change({ timed: { ...timed, ...changes } });
          }}
        />
      ) : (
        <LocalFields
          local={local}
          fields={fields}
          change={(changes) => {
            for (const name of Object.keys(changes)) forgive(name);
            change({ local: { ...local, ...changes } });
          }}
        />
      )}
      <ImageField image={image ?? null} name={draft.image_name} onChoose={chooseImage} />
      {kind === 'timed' && <AdPreview timed={timed} image={image ?? null} />}
      {words && <ErrorBanner>{words}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onBack}>
          Back
        </Button>
        <Button
          type="submit"
          wide
          disabled={image === undefined}
          pending={saving && (image ? 'Sending the picture…' : 'Saving…')}
        >
          Continue to payment
        </Button>
      </div>
    </form>
  );
}
