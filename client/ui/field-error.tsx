import { CircleAlert } from 'lucide-react';

/** What is wrong with a field, under it; the field names it by `aria-describedby={id}`. Nothing to see while there is nothing. */
export function FieldError({
  id,
  children,
}: {
  id: string;
  children: string | false | null | undefined;
}) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 font-bold text-poor empty:hidden">
      {children && (
        <>
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />
          <span className="min-w-0 break-words">{children}</span>
        </>
      )}
    </p>
  );
}
