class Recorder:
    def __init__(self, every, as_number):
        self.every, self.as_number = every, as_number
        self.values = []

    def add(self, step, value):
        if step % self.every == 0:
            self.values.append(value.item() if self.as_number else value)

    def mean(self, last=50):
        return sum(self.values[-last:]) / len(self.values[-last:])
