import { Ban, Undo2, Wallet } from 'lucide-react';
import { toast } from 'sonner';
import { TAKE_DOWN_REASON_MAX } from '#shared/advertisers/reasons.ts';
import { dollars } from '#shared/money.ts';
import { useLatestRow } from '../../admin/list/use-latest-row.ts';
import { useTyped } from '../../session/sign-in-again.ts';
import { useOpened } from '../../ui/use-dialog-param.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { MessageField } from '../../ui/message-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { useNow } from '../../use-now.ts';
import {
  isBooked,
  isOver,
  isTimed,
  nameOf,
  payBack,
  putBack,
  refresh,
  takeDown,
  type AdminAd,
} from './admin-actions.ts';

/** What an admin can do about a paid ad in a list. */
export function DownActions({ ad }: { ad: AdminAd }) {
  const { open } = useOpened();
  const now = useNow();
  const name = nameOf(ad);
  const down = () => open('take-down', String(ad.id));
  const isOn = isBooked(ad, now);
  if (isOver(ad, now))
    return (
      <IconButton label={`Pay back ${name}`} onClick={down}>
        <Wallet aria-hidden className="size-5" />
      </IconButton>
    );
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
export function TakeDownModal({ ads }: { ads: readonly AdminAd[] | undefined }) {
  const { opened, id, close } = useOpened();
  const ad = useLatestRow(ads, opened === 'take-down' ? id : null);
  const now = useNow();
  return (
    <Modal
      open={ad !== undefined}
      onClose={close}
      title={ad && (ad.taken_down_at || isOver(ad, now)) ? 'Pay back' : 'Take down'}
    >
      {ad && <TakeDownForm key={ad.id} ad={ad} onDone={close} />}
    </Modal>
  );
}

function TakeDownForm({ ad, onDone }: { ad: AdminAd; onDone: () => void }) {
  const isPast = isOver(ad, useNow());
  const isDown = ad.taken_down_at !== null || isPast;
  const [reason, setReason] = useTyped('take-down-reason', ad.taken_down_reason ?? '');
  const [isWanted, setIsWanted] = useTyped('take-down-refund', false);
  // Another admin may take it down, or put it back, while this one types.
  const refund = isDown || isWanted;
  const money = isTimed(ad)
    ? `All of ${dollars(ad.spent_cents)}; it cannot be put back then.`
    : `${dollars(ad.monthly_cost_cents)} for each month that ${isDown ? 'was not over when it was taken down' : 'is not over'}.`;

  const aboutDeed = isPast
    ? `Its time is over. The money goes back to the card, all of ${dollars(ad.spent_cents)}, and the advertiser gets a letter.`
    : isDown
      ? `It is taken down. The money goes back to the card: ${money}`
      : `Nobody sees it any more. The advertiser gets a letter.${isTimed(ad) ? '' : ' When it is put back, the time that it was down is added.'}`;

  const form = useSubmit(async () => {
    try {
      if (isPast) await payBack(ad, reason);
      else {
        const after = await takeDown(ad, { reason, refund, version: ad.version });
        const undo = { action: { label: 'Undo', onClick: () => void putBack(after) } };
        if (!refund) toast(`“${nameOf(ad)}” is taken down`, undo);
      }
      if (refund) toast(`“${nameOf(ad)}” is ${isDown ? 'paid back' : 'taken down and paid back'}`);
      onDone();
    } finally {
      void refresh();
    }
  });

  return (
    <Form
      form={form}
      submit={isDown ? 'Pay back' : 'Take down'}
      pending="Working…"
      noValidate={false}
    >
      <p>
        <strong className="block break-words">{nameOf(ad)}</strong>
        <span className="text-soft">{aboutDeed}</span>
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
        <Checkbox
          label="Give the money back"
          hint={money}
          checked={isWanted}
          onChange={setIsWanted}
        />
      )}
    </Form>
  );
}
