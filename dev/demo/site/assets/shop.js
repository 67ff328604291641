for (const field of document.querySelectorAll('.row input[type="number"]')) {
  field.addEventListener('change', () => field.form.requestSubmit());
}
