import { Ban, Undo2, Wallet } from 'lucide-react';
import { toast } from 'sonner';
import { dollars } from '#shared/money.ts';
import { RowAction } from '../../../platform/admin/list/row-action.tsx';
import { useLatestRow } from '../../../platform/admin/list/use-latest-row.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { useSubmit } from '../../../platform/forms/use-submit.ts';
import { useTyped } from '../../../platform/session/sign-in-again.ts';
import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { Checkbox } from '../../../platform/ui/inputs/checkbox.tsx';
import { useNow } from '../../../platform/use-now.ts';
import {
  isBooked,
  isOver,
  isTimed,
  nameOf,
  refundPast,
  restore,
  refresh,
  takeDown,
  type AdminAd,
} from './admin-actions.ts';
import { ReasonField } from './reason-field.tsx';

/** The admin actions on a paid ad in a list. */
export function DownActions({ ad }: { ad: AdminAd }) {
  const { open } = useDialogParam();
  const now = useNow();
  const name = nameOf(ad);
  const down = () => open('take-down', String(ad.id));
  const isOn = isBooked(ad, now);
  if (isOver(ad, now)) return <RowAction word="Refund" about={name} Icon={Wallet} onClick={down} />;
  if (!ad.taken_down_at)
    return (
      isOn &&
      ad.status !== 'cancelled' && (
        <RowAction word="Take down" about={name} Icon={Ban} onClick={down} />
      )
    );
  return (
    <>
      {isOn && <RowAction word="Refund" about={name} Icon={Wallet} onClick={down} />}
      {(isOn || ad.status === 'expired') && (
        <RowAction word="Restore" about={name} Icon={Undo2} onClick={() => void restore(ad)} />
      )}
    </>
  );
}

/** The dialog to take down the ad in the address. */
export function TakeDownModal({ ads }: { ads: readonly AdminAd[] | undefined }) {
  const { opened, id, close } = useDialogParam();
  const ad = useLatestRow(ads, opened === 'take-down' ? id : null);
  const now = useNow();
  return (
    <Modal
      open={ad !== undefined}
      onClose={close}
      title={ad && (ad.taken_down_at || isOver(ad, now)) ? 'Refund' : 'Take down'}
    >
      {ad && <TakeDownForm key={ad.id} ad={ad} onDone={close} />}
    </Modal>
  );
}

function TakeDownForm({ ad, onDone }: { ad: AdminAd; onDone: () => void }) {
  const isPast = isOver(ad, useNow());
  const isDown = ad.taken_down_at !== null || isPast;
  const [reason, setReason] = useTyped('take-down-reason', ad.taken_down_reason ?? '');
  const [wantsRefund, setWantsRefund] = useTyped('take-down-refund', false);
  // Another admin may take it down or restore it during typing.
  const refund = isDown || wantsRefund;
  const money = isTimed(ad)
    ? `The full ${dollars(ad.spent_cents)}. You can’t restore the ad after that.`
    : `${dollars(ad.monthly_cost_cents)} for each month ${isDown ? 'that was unused when it was taken down' : 'that is unused'}.`;

  const consequence = isPast
    ? `It has ended. The full ${dollars(ad.spent_cents)} goes back to the card, and the advertiser is emailed.`
    : isDown
      ? `It’s taken down. This refunds the card: ${money}`
      : `It’s hidden, and the advertiser is emailed.${isTimed(ad) ? '' : ' If you restore it, the downtime is added.'}`;

  const form = useSubmit(async () => {
    try {
      if (isPast) await refundPast(ad, reason);
      else {
        const after = await takeDown(ad, { reason, refund, version: ad.version });
        const undo = { action: { label: 'Undo', onClick: () => void restore(after) } };
        if (!refund) toast(`“${nameOf(ad)}” is taken down`, undo);
      }
      if (refund) toast(`“${nameOf(ad)}” is ${isDown ? 'refunded' : 'taken down and refunded'}`);
      onDone();
    } finally {
      void refresh();
    }
  });

  return (
    <Form
      form={form}
      submit={isDown ? 'Refund' : 'Take down'}
      look={isDown ? undefined : 'danger'}
      onCancel={onDone}
      pending="Working…"
      checks
    >
      <p>
        <strong className="block break-words">{nameOf(ad)}</strong>
        <span className="text-soft">{consequence}</span>
      </p>
      <ReasonField value={reason} onChange={setReason} />
      {!isDown && (
        <Checkbox
          label="Refund the payment"
          hint={money}
          checked={wantsRefund}
          onChange={setWantsRefund}
        />
      )}
    </Form>
  );
}
