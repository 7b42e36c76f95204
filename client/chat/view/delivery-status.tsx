import { Check, CheckCheck, Eye, Hourglass, Smartphone } from 'lucide-react';
import type { Delivery } from '../types.ts';

const STATES = {
  device: { Icon: Smartphone, words: 'On this device only' },
  server: { Icon: Check, words: 'On our server' },
  delivered: { Icon: CheckCheck, words: 'Delivered' },
  read: { Icon: Eye, words: 'Read' },
  held: { Icon: Hourglass, words: 'Waiting for a moderator. No one else can see it yet.' },
} as const satisfies Record<Delivery, { Icon: typeof Check; words: string }>;

/** Where a message of one's own truly is: a mark, and its words for whoever does not see it or wants to know. */
export function DeliveryMark({ delivery, hasWords }: { delivery: Delivery; hasWords: boolean }) {
  const { Icon, words } = STATES[delivery];
  return (
    <span data-delivery={delivery} className="inline-flex items-center gap-1">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className={hasWords ? '' : 'sr-only'}>{words}</span>
    </span>
  );
}
