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
import { useSeenAlerts } from './use-seen-alerts.ts';

/** The phrases in the order in which they are offered. It comes first to say hello to a friendly dog. */
const phrasesFor = ({ isUrgent }: ShownAlert): readonly AnswerPhrase[] =>
  isUrgent ? answerPhrase.options : answerPhrase.options.toReversed();

/**
 * The owner's own answer, which can be changed, or the phrases to answer with. None of them swaps places with another one while the alert is
 * shown. After “I'll cross”, waiting is emphasized.
 */
export function WalkerAnswers({ alert }: { alert: ShownAlert }) {
  const { act } = useProximity();
  const { user_id: userId, display_name: name, answers } = alert;
  const [isOver, setOver] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const [order] = useState(() => phrasesFor(alert));
  const isOffering = !isOver && (answers.own === null || isChanging);
  // Nobody says hello to a dog that needs space.
  const phrases = order.filter((phrase) => !alert.isUrgent || phrase !== 'hello');
  // The buttons may appear under a finger, or make room for each other.
  const { seenAt, onPointerDownCapture } = useSeenAlerts(
    isOffering ? [`${userId}:${phrases.join('/')}`] : [],
  );
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
      {!isOffering ? (
        answers.own !== null && (
          <p className="flex items-center gap-1.5 font-bold">
            <Check aria-hidden className="size-5 shrink-0" />
            <span className="min-w-0 flex-1 break-words">
              <span className="sr-only">{name}: </span>
              <span>You said </span>
              <span className="inline-block">“{PHRASES[answers.own].text}”</span>
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
        )
      ) : (
        <div
          role="group"
          aria-label={`Tell ${name}`}
          onPointerDownCapture={onPointerDownCapture}
          className="flex gap-2"
        >
          {phrases.map((phrase) => {
            const { text, short, Icon } = PHRASES[phrase];
            const isSuggested = answers.theirs === 'crossing' && phrase === 'waiting';
            return (
              <button
                key={phrase}
                type="button"
                aria-label={text}
                aria-pressed={answers.own === null ? undefined : answers.own === phrase}
                disabled={isSending !== undefined}
                onClick={(event) => seenAt(event).length > 0 && void send(phrase)}
                className={`flex min-h-12 flex-auto items-center justify-center gap-1.5 rounded-control border border-line-strong px-1.5 leading-tight font-bold aria-pressed:border-2 aria-pressed:border-ink ${isSuggested ? 'bg-accent-soft' : ''}`}
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
