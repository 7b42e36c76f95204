import { Check } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { answerEncounter, answerPhrase, type AnswerPhrase } from '#shared/proximity/contract.ts';
import { useAction } from '../../../platform/forms/use-action.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { errorMessage } from '../../../platform/http/error-message.ts';
import { PHRASES } from '../alerts/phrases.tsx';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { useProximity } from '../use-proximity.ts';

/**
 * Returns the phrases that fit: nobody says hello to a dog that needs space, and it comes first with a friendly one. Who was told that the
 * other one crosses is offered to wait first.
 */
function phrasesFor({ isUrgent, answers }: ShownAlert): AnswerPhrase[] {
  const all = answers.theirs === 'crossing' ? WAITING_FIRST : answerPhrase.options;
  return isUrgent ? all.filter((phrase) => phrase !== 'hello') : all.toReversed();
}

const WAITING_FIRST: readonly AnswerPhrase[] = ['waiting', 'crossing', 'hello'];

/** The owner's own answer, which can be changed, or the phrases to answer with. */
export function WalkerAnswers({ alert }: { alert: ShownAlert }) {
  const { act } = useProximity();
  const { user_id: userId, display_name: name, answers } = alert;
  const [isOver, setOver] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const [send, isSending] = useAction(async (phrase: AnswerPhrase) => {
    try {
      await call(answerEncounter, { body: { user_id: userId, phrase } });
      act({ type: 'answered', userId, phrase });
      setChanging(false);
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
    <div className="w-full">
      {answers.own !== null && !isChanging ? (
        <p className="flex items-center gap-1.5 font-bold">
          <Check aria-hidden className="size-5 shrink-0" />
          <span className="min-w-0 flex-1 break-words">
            You told {name}: “{PHRASES[answers.own].text}”
          </span>
          {!isOver && (
            <button
              type="button"
              onClick={() => setChanging(true)}
              className="min-h-11 shrink-0 px-2 underline underline-offset-4"
            >
              Change<span className="sr-only"> what you told {name}</span>
            </button>
          )}
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
                aria-pressed={answers.own === null ? undefined : answers.own === phrase}
                disabled={isSending !== undefined}
                onClick={() => void send(phrase)}
                className="flex min-h-12 items-center justify-center gap-1.5 rounded-control border border-line-strong px-1.5 text-sm leading-tight font-bold aria-pressed:border-2 aria-pressed:border-ink"
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
