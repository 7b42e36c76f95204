import { Footprints, Hand, Smile, type LucideIcon } from 'lucide-react';
import type { AnswerPhrase } from '#shared/proximity/contract.ts';

/** What two walkers say to each other by one tap. */
export const PHRASES: Record<AnswerPhrase, { text: string; short: string; Icon: LucideIcon }> = {
  crossing: { text: 'I’ll cross', short: 'I’ll cross', Icon: Footprints },
  waiting: { text: 'Waiting here', short: 'Waiting', Icon: Hand },
  hello: { text: 'All good, come and say hello', short: 'Say hello', Icon: Smile },
};

export function PhraseIcon({ phrase, className }: { phrase: AnswerPhrase; className: string }) {
  const { Icon } = PHRASES[phrase];
  return <Icon aria-hidden className={`shrink-0 ${className}`} />;
}
