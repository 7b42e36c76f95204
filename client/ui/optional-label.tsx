/** The name of a field that may be left empty. */
export const optionalLabel = (name: string) => (
  <>
    {name} <span className="font-normal text-soft">(optional)</span>
  </>
);
