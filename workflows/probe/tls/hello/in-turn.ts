/**
 * Finds out what a server accepts of a list, by what it says alone: offers all, takes away what was chosen, and offers the rest,
 * until nothing of it is chosen any more.
 * @param ask undefined when the offer was refused
 * @param choiceOf what was chosen of the offer
 * @returns the answers, in the order in which the server prefers
 */
export async function chosenInTurn<A>(
  all: readonly string[],
  ask: (offered: readonly string[]) => Promise<A | undefined>,
  choiceOf: (answer: A) => string,
): Promise<A[]> {
  const left = new Set(all);
  const answers: A[] = [];
  while (left.size > 0) {
    const answer = await ask([...left]);
    // What was not offered, or was chosen before, would be chosen for ever.
    if (answer === undefined || !left.delete(choiceOf(answer))) return answers;
    answers.push(answer);
  }
  return answers;
}
