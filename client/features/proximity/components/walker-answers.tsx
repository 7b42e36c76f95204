import { Check, Footprints, Hand, Smile, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { answerEncounter, answerPhrase, type AnswerPhrase } from '#shared/proximity/contract.ts';
import { useAction } from '../../../platform/forms/use-action.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { errorMessage } from '../../../platform/http/error-message.ts';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { useProximity } from '../use-proximity.ts';

/** What two walkers say to each other by one tap. */
export const PHRASES: Record<AnswerPhrase, { text: string; short: string; Icon: LucideIcon }> = {
  crossing: { text: 'I’ll cross', short: 'I’ll cross', Icon: Footprints },
  waiting: { text: 'Waiting here', short: 'Waiting', Icon: Hand },
  hello: { text: 'All good, come and say hello', short: 'Say hello', Icon: Smile },
};

/** Returns the phrases that fit: nobody says hello to a dog that needs space, and it comes first with a friendly one. */
const phrasesFor = ({ isUrgent }: ShownAlert): AnswerPhrase[] =>
  isUrgent
    ? answerPhrase.options.filter((phrase) => phrase !== 'hello')
    : answerPhrase.options.toReversed();

/** The other walker's answer and the owner's own, or the phrases to answer with: one per encounter. */
export function WalkerAnswers({ alert }: { alert: ShownAlert }) {
  const { act } = useProximity();
  const { user_id: userId, display_name: name, answers } = alert;
  const [isOver, setOver] = useState(false);
  const [send, isSending] = useAction(async (phrase: AnswerPhrase) => {
    try {
      await call(answerEncounter, { body: { user_id: userId, phrase } });
      act({ type: 'answered', userId, phrase });
    } catch (error) {
      // Some minutes after the warning, or after a block: both dogs may still be near.
      if (error instanceof CallError && error.status === 404) {
        setOver(true);
        toast.error('It can’t be sent anymore');
      } else toast.error(errorMessage(error, 'We couldn’t send it. Try again.'));
    }
  });
  // Someone anonymous can't be answered, and someone silenced has nothing to say.
  if (name === '' || alert.silence !== null) return null;
  return (
    <div className="flex flex-col gap-1.5 px-3 pt-2">
      <p aria-live="polite" className="text-lg font-bold empty:hidden">
        {answers.theirs !== null && (
          <span>
            {name}: “{PHRASES[answers.theirs].text}”
          </span>
        )}
      </p>
      {answers.own !== null ? (
        <p className="flex items-center gap-1.5 font-bold">
          <Check aria-hidden className="size-5 shrink-0" />
          You told {name}: “{PHRASES[answers.own].text}”
        </p>
      ) : isOver ? null : (
        <div
          role="group"
          aria-label={`Tell ${name}`}
          className="grid auto-cols-fr grid-flow-col gap-2"
        >
          {phrasesFor(alert).map((phrase) => {
            const { text, short, Icon } = PHRASES[phrase];
            return (
              <button
                key={phrase}
                type="button"
                aria-label={text}
                disabled={isSending !== undefined}
                onClick={() => void send(phrase)}
                className="flex min-h-12 items-center justify-center gap-1.5 rounded-control border border-line-strong px-1.5 text-sm leading-tight font-bold"
              >
                <Icon aria-hidden className="size-5 shrink-0" />
                {short}
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
}
