import { Ban, Undo2, Wallet } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import {
  putBackAd,
  putBackListing,
  TAKE_DOWN_REASON_MAX,
  takeDownAd,
  takeDownListing,
  type AdminListing,
  type AdminTimedAd,
} from '#shared/advertisers/admin-contract.ts';
import { dollars } from '#shared/money.ts';
import { sayFailure } from '../admin/say-failure.ts';
import { useOpened } from '../admin/use-opened.ts';
import { call } from '../api.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageField } from '../ui/message-field.tsx';
import { Modal } from '../ui/modal.tsx';
import { Tick } from '../ui/tick.tsx';
import { useNow } from '../use-now.ts';

type Ad = AdminTimedAd | AdminListing;
const isTimed = (ad: Ad): ad is AdminTimedAd => 'title' in ad;
const nameOf = (ad: Ad) => (isTimed(ad) ? ad.title : ad.business_name);

const refresh = () =>
  Promise.all(
    ['advertiser-ads', 'business-listings', 'advertisers'].map((list) =>
      queries.invalidateQueries({ queryKey: ['admin', list] }),
    ),
  );

/** Whether its time is not over and its money is here: it may be paid back. */
const isBooked = (ad: Ad, now: number): boolean =>
  isTimed(ad)
    ? ad.spent_cents > 0 && Date.parse(ad.scheduled_end_at) > now
    : ad.status === 'active' || ad.status === 'paused';

async function putBack(ad: Ad): Promise<void> {
  const { version } = ad;
  try {
    if (isTimed(ad)) await call(putBackAd, { params: { id: ad.id }, body: { version } });
    else await call(putBackListing, { params: { id: ad.id }, body: { version } });
    toast(`“${nameOf(ad)}” is back`);
  } catch (error) {
    sayFailure(error);
  }
  await refresh();
}

/** What an admin can do about a paid ad in a list. */
export function DownActions({ ad }: { ad: Ad }) {
  const { open } = useOpened();
  const now = useNow();
  const name = nameOf(ad);
  const down = () => open('take-down', String(ad.id));
  const isOn = isBooked(ad, now);
  if (!ad.taken_down_at)
    return (
      isOn &&
      ad.status !== 'cancelled' && (
        <IconButton label={`Take down ${name}`} onClick={down}>
          <Ban aria-hidden className="size-5" />
        </IconButton>
      )
    );
  return (
    <>
      {isOn && (
        <IconButton label={`Pay back ${name}`} onClick={down}>
          <Wallet aria-hidden className="size-5" />
        </IconButton>
      )}
      {(isOn || ad.status === 'expired') && (
        <IconButton label={`Put ${name} back`} onClick={() => void putBack(ad)}>
          <Undo2 aria-hidden className="size-5" />
        </IconButton>
      )}
    </>
  );
}

/** The dialog in which an ad of these is taken down, as the address asks for it. */
export function TakeDownModal({ ads }: { ads: readonly Ad[] | undefined }) {
  const { opened, id, close } = useOpened();
  const ad = opened === 'take-down' ? ads?.find((each) => String(each.id) === id) : undefined;
  return (
    <Modal
      open={ad !== undefined}
      onClose={close}
      title={ad?.taken_down_at ? 'Pay back' : 'Take down'}
    >
      {ad && <TakeDownForm key={ad.id} ad={ad} onDone={close} />}
    </Modal>
  );
}

function TakeDownForm({ ad, onDone }: { ad: Ad; onDone: () => void }) {
  const isDown = ad.taken_down_at !== null;
  const [reason, setReason] = useState(ad.taken_down_reason ?? '');
  const [refund, setRefund] = useState(isDown);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState('');
  const money = isTimed(ad)
    ? `All of ${dollars(ad.spent_cents)}; it cannot be put back then.`
    : `${dollars(ad.monthly_cost_cents)} for each month that is not over.`;

  async function save(event: FormEvent) {
    event.preventDefault();
    setSaving(true);
    setProblem('');
    const body = { reason, refund, version: ad.version };
    try {
      if (isTimed(ad)) await call(takeDownAd, { params: { id: ad.id }, body });
      else await call(takeDownListing, { params: { id: ad.id }, body });
      toast(`“${nameOf(ad)}” is ${isDown ? 'paid back' : 'taken down'}`);
      onDone();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSaving(false);
    }
    await refresh();
  }

  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
      <p>
        <strong className="block break-words">{nameOf(ad)}</strong>
        <span className="text-soft">
          {isDown
            ? `It is taken down. The money goes back to the card: ${money}`
            : 'Nobody sees it any more. The advertiser gets a letter.'}
        </span>
      </p>
      <MessageField
        label="Reason"
        hint="The advertiser reads it"
        required
        rows={4}
        max={TAKE_DOWN_REASON_MAX}
        value={reason}
        onChange={setReason}
      />
      {!isDown && (
        <Tick label="Give the money back" hint={money} checked={refund} onChange={setRefund} />
      )}
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <Button type="submit" wide pending={saving && 'Working…'}>
        {isDown ? 'Pay back' : 'Take down'}
      </Button>
    </form>
  );
}
