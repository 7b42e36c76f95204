import type { ReactNode } from 'react';
import type { Ad } from '#shared/ads/contract.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { clickOf } from './reports.ts';
import type { SlotProps } from './slot-props.ts';
import { Slot } from './slot.tsx';

/** A slot on member screens, whose clicks go to the outbox. */
export function MemberSlot({
  placement,
  fallback,
}: {
  placement: SlotProps['placement'];
  fallback?: ReactNode;
}) {
  const documents = useDocuments();
  const sendClick = async (ad: Ad) => {
    const { name, input } = clickOf(ad);
    if (documents) await sendLater(documents, name, input);
  };
  return <Slot placement={placement} fallback={fallback} sendClick={sendClick} />;
}
