import { useState } from 'react';
import type { SavedKind } from '#shared/admin/contract.ts';
import { SaveAs } from '../../../platform/admin/saved/save-as.tsx';
import { useSaved } from '../../../platform/admin/saved/use-saved.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';
import type { Template } from './templates.ts';

/** Chooses a text to begin with; moderators add texts, and replace the built-in ones by their name. */
export function TemplateField({
  kind,
  builtIn,
  text,
  onChoose,
}: {
  kind: Exclude<SavedKind, 'view'>;
  builtIn: readonly Template[];
  /** What is written now. */
  text: string;
  onChoose: (text: string) => void;
}) {
  const { saved, store, remove } = useSaved(kind);
  const [lastName, setLastName] = useState('');
  const names = new Set(saved.map(({ name }) => name.toLowerCase()));
  const templates = [...saved, ...builtIn.filter(({ name }) => !names.has(name.toLowerCase()))];
  const written = text.trim();
  const own = saved.find(({ name }) => name === lastName);
  const isNew = written !== '' && templates.every((template) => template.text !== written);
  return (
    <div>
      <SelectField
        label="Template"
        value={templates.find((template) => template.text === written)?.name ?? ''}
        options={[
          { value: '', name: written === '' ? 'Choose a text…' : 'Your own text' },
          ...templates.map(({ name }) => ({ value: name, name })),
        ]}
        onChange={({ target }) => {
          const chosen = templates.find(({ name }) => name === target.value);
          if (!chosen) return;
          setLastName(chosen.name);
          onChoose(chosen.text);
        }}
      />
      {isNew && (
        <SaveAs
          label="Save as template"
          hint="For all moderators. A template with this name is replaced."
          suggested={lastName}
          store={async (name) => {
            await store(name, written);
            setLastName(name);
          }}
        />
      )}
      {own?.text === written && (
        <Button
          look="quiet"
          className="min-h-11! px-2! font-normal!"
          onClick={() => void remove(own)}
        >
          Delete this template
        </Button>
      )}
    </div>
  );
}
