import { useState } from 'react';
import { toast } from 'sonner';
import { EDITED_MEANWHILE } from '#shared/admin/paging.ts';
import {
  answerAppeal,
  listAllWarnings,
  type AdminWarning,
} from '#shared/moderation/admin-contract.ts';
import { NOTES_MAX } from '#shared/moderation/rules.ts';
import { useAction } from '../../../platform/forms/use-action.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { queries } from '../../../platform/http/query-client.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { APPEALS } from '../admin/labels.ts';
import { TemplateField } from './template-field.tsx';
import { ANSWER_TEMPLATES } from './templates.ts';

/** Reloads a warning, regardless of the list's page and filters. */
async function reload({ id, user }: AdminWarning): Promise<AdminWarning | undefined> {
  const { warnings } = await call(listAllWarnings, { query: { user_id: user.user_id } });
  return warnings.find((each) => each.id === id);
}

/** Answers an appeal: the sanction stays, or it is revoked. */
export function AppealForm({
  warning: shown,
  refusal,
  onDone,
}: {
  warning: AdminWarning;
  /** Why the caller can't answer it now; null if they can. */
  refusal: string | null;
  onDone: () => void;
}) {
  const [warning, setWarning] = useState(shown);
  const [answer, setAnswer] = useState('');
  const [problem, setProblem] = useState('');
  const [send, sending] = useAction(async (status: 'lifted' | 'upheld') => {
    setProblem('');
    const { id, version } = warning;
    try {
      const body = { version, status, answer: answer.trim() };
      await call(answerAppeal, { params: { id }, body });
      toast.success('Answered');
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
      if (error instanceof CallError && error.code === EDITED_MEANWHILE)
        setWarning((await reload(warning).catch(() => null)) ?? warning);
      else return;
    }
    void queries.invalidateQueries({ queryKey: ['admin'] });
  });

  const { appeal } = warning;
  const isReady = answer.trim() !== '' && appeal?.status === 'pending' && refusal === null;
  return (
    <section
      aria-label="Your answer"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 break-words shadow-lift"
    >
      <h3 className="font-bold">Answer</h3>
      {refusal && <ErrorBanner>{refusal}</ErrorBanner>}
      <TemplateField kind="answer" builtIn={ANSWER_TEMPLATES} text={answer} onChoose={setAnswer} />
      <MessageField label="Answer" required value={answer} onChange={setAnswer} max={NOTES_MAX} />
      <p id="appeal-hint" className="text-sm text-soft">
        {answer.trim() === ''
          ? 'The person reads your answer. Write it before you decide.'
          : 'The person reads your answer.'}
      </p>
      {problem && (
        <ErrorBanner title={problem}>
          {appeal?.answer
            ? `It’s already answered (${APPEALS[appeal.status].toLowerCase()}): “${appeal.answer}”`
            : warning.lifted_at
              ? 'The sanction has been revoked, which grants the appeal.'
              : 'Your answer is still here.'}
        </ErrorBanner>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          className="flex-1"
          look="secondary"
          aria-describedby="appeal-hint"
          disabled={!isReady || sending !== undefined}
          pending={sending?.[0] === 'upheld' && 'Answering…'}
          onClick={() => void send('upheld')}
        >
          Keep the sanction
        </Button>
        {/* Neither answer is proposed. */}
        <Button
          className="flex-1"
          look="secondary"
          aria-describedby="appeal-hint"
          disabled={!isReady || sending !== undefined}
          pending={sending?.[0] === 'lifted' && 'Answering…'}
          onClick={() => void send('lifted')}
        >
          Revoke the sanction
        </Button>
      </div>
    </section>
  );
}
