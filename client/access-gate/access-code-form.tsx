import { useState, type FormEvent } from 'react';
import { toast } from 'sonner';
import {
  createCode,
  DESCRIPTION_MAX,
  getCode,
  updateCode,
  type AccessCode,
} from '#shared/access-gate/admin-contract.ts';
import { CODE_MAX } from '#shared/access-gate/contract.ts';
import { EditedMeanwhile } from '../admin/edited-meanwhile.tsx';
import { useEdit } from '../admin/use-edit.ts';
import { useRowActions } from '../admin/use-row-actions.ts';
import { fromLocalField, toLocalField } from '../admin/words.ts';
import { call } from '../api.ts';
import { CallError } from '../call.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { CODES } from './code-kind.ts';

const NEW = { code: '', description: null, max_uses: null, expires_at: null, is_active: true };
const draftOf = (row: Pick<AccessCode, keyof typeof NEW>) => ({
  code: row.code,
  description: row.description ?? '',
  max_uses: row.max_uses === null ? '' : String(row.max_uses),
  expires_at: toLocalField(row.expires_at),
  is_active: row.is_active ? 'active' : 'inactive',
});
const LABELS = {
  code: 'Code',
  description: 'Description',
  max_uses: 'Maximum uses',
  expires_at: 'Expires',
  is_active: 'Status',
};
const STATUSES = [
  { value: 'active', name: 'Active' },
  { value: 'inactive', name: 'Inactive' },
];

/** Makes a code, or edits one. */
export function AccessCodeForm({ code, onDone }: { code: AccessCode | null; onDone: () => void }) {
  const { refresh } = useRowActions(CODES);
  const form = useEdit({ ...NEW, version: 0, ...code }, draftOf, async () => {
    const { accessCode } = await call(getCode, { params: { id: code?.id ?? '' } });
    return accessCode;
  });
  const { draft, set, isTouched } = form;
  const [key] = useState(() => crypto.randomUUID());
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<CallError | null>(null);
  const fields = problem?.fields ?? {};

  async function save() {
    const { description, max_uses } = draft;
    const expires_at = fromLocalField(draft.expires_at);
    if (!code) {
      const body = { code: draft.code, description, max_uses, expires_at };
      return (await call(createCode, { body, idempotencyKey: key })).accessCode;
    }
    const body = {
      ...(isTouched('description') ? { description } : {}),
      ...(isTouched('max_uses') ? { max_uses } : {}),
      ...(isTouched('expires_at') ? { expires_at } : {}),
      ...(isTouched('is_active') ? { is_active: draft.is_active === 'active' } : {}),
      version: form.version,
    };
    return (await call(updateCode, { params: { id: code.id }, body })).accessCode;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSaving) return;
    setProblem(null);
    if (!draft.code.trim()) {
      const words = 'Code is required';
      setProblem(new CallError(words, 400, 'invalid_input', { code: words }));
      return;
    }
    setIsSaving(true);
    try {
      const saved = await save();
      toast(`${saved.code} is saved`);
      void refresh();
      onDone();
    } catch (error) {
      try {
        if (!(await form.hasMetAnother(error))) throw error;
      } catch (cause) {
        if (!(cause instanceof CallError)) throw cause;
        setProblem(cause);
      }
      setIsSaving(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-4">
      <EditedMeanwhile
        changes={form.meanwhile}
        draft={draft}
        labels={LABELS}
        onTake={(field, value) => set(field as keyof typeof LABELS, value)}
      />
      {code ? (
        <p className="font-mono text-lg font-bold break-all">{code.code}</p>
      ) : (
        <Field
          label={LABELS.code}
          value={draft.code}
          onChange={(event) => set('code', event.target.value.toUpperCase())}
          maxLength={CODE_MAX}
          error={fields['code']}
          hint="What people type at the gate. Capitals and small letters are the same."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
      )}
      <Field
        label={
          <>
            {LABELS.description} <Optional />
          </>
        }
        value={draft.description}
        onChange={(event) => set('description', event.target.value)}
        maxLength={DESCRIPTION_MAX}
        error={fields['description']}
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={
            <>
              {LABELS.max_uses} <Optional />
            </>
          }
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={draft.max_uses}
          onChange={(event) => set('max_uses', event.target.value)}
          error={fields['max_uses'] && 'At least 1, or nothing for unlimited'}
          hint="Empty means unlimited."
        />
        <Field
          label={
            <>
              {LABELS.expires_at} <Optional />
            </>
          }
          type="datetime-local"
          value={draft.expires_at}
          onChange={(event) => set('expires_at', event.target.value)}
          error={fields['expires_at']}
          hint="Empty means never. In your time zone."
        />
      </div>
      {code && (
        <SelectField
          label={LABELS.is_active}
          options={STATUSES}
          value={draft.is_active}
          onChange={(event) => set('is_active', event.target.value)}
        />
      )}
      {problem && Object.keys(fields).length === 0 && <ErrorBanner>{problem.message}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide pending={isSaving && 'Saving…'}>
          {code ? 'Save' : 'Create Code'}
        </Button>
      </div>
    </form>
  );
}

const Optional = () => <span className="font-normal text-soft">(optional)</span>;
