module dualseal.example/dualseal

go 1.27
