/** A digest that is meant to take long takes longer where many are made at once, and some sites let everybody wait after wrong passwords. */
export const loginTimeoutMs = 30_000;
