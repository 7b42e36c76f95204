import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readGear, saveGear } from '#shared/gear/contract.ts';
import { GEAR_MAX } from '#shared/gear/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { useSubmit } from '../../platform/forms/use-submit.ts';
import { call } from '../../platform/http/api.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';

/** What the owner takes on a walk. */
export default function GearPage() {
  const { data } = useQuery({ queryKey: ['gear'], queryFn: () => call(readGear) });
  return (
    <Screen title="Gear" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <h1 tabIndex={-1} className="py-2 text-2xl font-bold tracking-tight sm:text-3xl">
        What you take on a walk
      </h1>
      {data && <GearForm saved={data.text} />}
    </Screen>
  );
}

function GearForm({ saved }: { saved: string }) {
  const [text, setText] = useState(saved);
  const form = useSubmit(() => call(saveGear, { body: { text } }), { failure: saveGear.failure });
  return (
    <Form form={form} submit="Save" pending="Saving…">
      <Field
        label="Your list"
        value={text}
        maxLength={GEAR_MAX}
        onChange={(event) => setText(event.target.value)}
      />
    </Form>
  );
}
