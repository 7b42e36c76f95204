import { SelectField } from '../../../platform/ui/inputs/select-field.tsx';

/** Chooses a text to begin with. */
export function TemplateField({
  templates,
  onChoose,
}: {
  templates: readonly { name: string; text: string }[];
  onChoose: (text: string) => void;
}) {
  return (
    <SelectField
      label="Template"
      value=""
      options={[
        { value: '', name: 'Choose a text…' },
        ...templates.map(({ name }) => ({ value: name, name })),
      ]}
      onChange={({ target }) => {
        const chosen = templates.find(({ name }) => name === target.value);
        if (chosen) onChoose(chosen.text);
      }}
    />
  );
}
